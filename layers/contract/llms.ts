// The service in one page of Markdown for language models, in the form of llmstxt.org: title, summary, links.
import { AREAS, type Area, type RouteRow } from './define-route.ts';
import { AREA_DESCRIPTIONS } from './openapi.ts';
import { OVERVIEW, SIGN_IN_STEPS } from './overview.ts';
import { ROUTES } from './routes.ts';

const ACCESS_TEXT = { public: '', wallet: ' (Bearer)', account: ' (Bearer)' } as const;

const lineOf = ({ method, path, summary, access, deprecated }: RouteRow): string =>
  `- \`${method} ${path}\`${ACCESS_TEXT[access]}: ${summary}${deprecated === undefined ? '' : ' (deprecated)'}`;

const sectionOf = (area: Area, rows: readonly RouteRow[]): string =>
  [`## ${area}`, '', AREA_DESCRIPTIONS[area], '', ...rows.filter((row) => row.area === area).map(lineOf)].join('\n');

/** Builds the page for a service at `baseUrl` (no slash at the end) that serves `rows`. */
export function llmsText(baseUrl: string, name: string, rows: readonly RouteRow[] = ROUTES): string {
  const links = [
    `- [Reference](${baseUrl}/api/docs): every operation with its fields, errors and limits, as JSON`,
    `- [OpenAPI 3.1](${baseUrl}/api/openapi.json): the same for machines`,
    `- [Versions](${baseUrl}/api/versions): what is deprecated, and until when it works`,
  ];
  const signIn = SIGN_IN_STEPS.map((step, index) => `${index + 1}. ${step}`);
  const sections = AREAS.map((area) => sectionOf(area, rows));
  return [`# ${name}`, `> ${OVERVIEW}`, '## Docs', links.join('\n'), '## Sign in', signIn.join('\n'), ...sections, ''].join('\n\n');
}
