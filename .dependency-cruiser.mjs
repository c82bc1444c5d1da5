// The one way of dependence between the rooms of layers/README.md. Planted violations of domain-is-pure, of the areas and of
// third-party input and output were found by it.
const TEST = '^test/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Modules that need each other, be it for a type, are one module, or a third one is missing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'The domain knows itself alone: no library, no input or output.',
      severity: 'error',
      from: { path: '^layers/domain/' },
      to: { pathNot: '^layers/domain/' },
    },
    {
      name: 'contract-needs-zod-and-values',
      comment: 'The contract is schemas over values and errors of the domain.',
      severity: 'error',
      from: { path: '^layers/contract/' },
      to: { pathNot: ['^layers/contract/', '^layers/domain/', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'runtime-stands-below',
      comment: 'Clock, ids, logger and settings serve every room and know none but the domain.',
      severity: 'error',
      from: { path: '^layers/runtime/' },
      to: { path: '^(layers/(contract|adapters|http|events)|functions|infra)/' },
    },
    {
      name: 'adapters-serve-the-domain',
      comment: 'An adapter knows nothing of requests.',
      severity: 'error',
      from: { path: '^layers/adapters/' },
      to: { path: '^(layers/(contract|http|events)|functions|infra)/' },
    },
    {
      name: 'http-knows-no-adapter',
      comment: 'The middy stack takes stores as arguments, so that a test can pass others.',
      severity: 'error',
      from: { path: '^layers/http/' },
      to: { path: '^(layers/(adapters|events)|functions|infra)/' },
    },
    {
      name: 'events-know-no-adapter',
      severity: 'error',
      from: { path: '^layers/events/' },
      to: { path: '^(layers/(adapters|http)|functions|infra)/' },
    },
    {
      name: 'layers-do-not-know-functions',
      severity: 'error',
      from: { path: '^layers/' },
      to: { path: '^(functions|infra)/' },
    },
    {
      name: 'areas-do-not-know-each-other',
      comment: 'What two areas share belongs to a layer, or to functions/ itself when it only wires.',
      severity: 'error',
      from: { path: '^functions/([^/]+)/' },
      to: { path: '^functions/[^/]+/', pathNot: '^functions/$1/' },
    },
    {
      name: 'infra-knows-only-shapes',
      comment: 'What deploys must not load what runs.',
      severity: 'error',
      from: { path: '^infra/', pathNot: '^infra/local/' },
      to: { path: '^(layers|functions)/', pathNot: ['^layers/contract/', '^layers/adapters/dynamo/table-schema\\.ts$'] },
    },
    {
      name: 'the-local-stack-knows-no-service',
      comment: 'It reads the template: no route, table or function by name.',
      severity: 'error',
      from: { path: '^infra/local/' },
      to: { path: '^(layers|functions|infra/(stacks|constructs|permissions|event-sources))' },
    },
    {
      name: 'third-party-input-and-output-only-in-adapters',
      comment: 'Each of these libraries has one adapter that hides it.',
      severity: 'error',
      from: { path: '^(layers|functions)/', pathNot: ['^layers/adapters/', '^layers/evm-runtime/'] },
      to: {
        path: '(^|/)node_modules/(@aws-sdk|siwe|viem|ethers|mppx|jose|mailparser|nodemailer|markdown-it|sanitize-html|html-to-text)/',
      },
    },
    {
      name: 'chain-libraries-only-in-the-layer',
      comment: 'Imported anywhere else they would end up in a bundle; types cost nothing.',
      severity: 'error',
      from: { path: '^(layers|functions)/', pathNot: '^layers/evm-runtime/' },
      to: { path: '(^|/)node_modules/(siwe|viem|ethers|mppx)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-adapter-per-mail-parser',
      severity: 'error',
      from: { path: '^layers/', pathNot: '^layers/adapters/mime/' },
      to: { path: '(^|/)node_modules/(mailparser|nodemailer)/' },
    },
    {
      name: 'no-development-packages-in-what-runs',
      severity: 'error',
      from: { path: '^(layers|functions)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: TEST },
      to: { path: TEST },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
