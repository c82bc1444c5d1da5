// Starts the whole local stack in this process and ends it again. Everything is wired here and nowhere else.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { startAwsEndpoint } from './aws/endpoint.ts';
import { Faults } from './aws/faults.ts';
import { Meter } from './aws/meter.ts';
import { seedSecrets } from './aws/secrets.ts';
import type { Chains } from './chains/start-chains.ts';
import { installClock, MovableClock } from './clock.ts';
import { type ControlActions, startControl } from './control.ts';
import { checkFolder, emptyFolder, LOCK_FILE, markFolder } from './data-folder.ts';
import { type RunningEmulator, startDynoxide } from './dynoxide.ts';
import { type RunningFauxqs, startQueues } from './fauxqs.ts';
import { EventSources, type EventSourcesSettings } from './event-sources.ts';
import { lockFolder } from './folder-lock.ts';
import { startGateway } from './gateway.ts';
import { LambdaRuntime } from './lambda.ts';
import type { Assembly } from './model.ts';
import { type Door, startAt } from './held-port.ts';
import { releasePorts } from './ports.ts';
import { provision } from './provision.ts';
import { Schedules } from './schedules.ts';
import { startSmtp } from './smtp.ts';
import { chooseStackPorts, rememberStackPorts, type StackPorts } from './stack-ports.ts';
import type { ChainAddress, Stack, StackDescription, StackOptions } from './stack-settings.ts';
import { loadAssembly } from './template.ts';
import { startWorldIdStub, type WorldIdStub } from './world-id.ts';
import { drain, invokeAndNudge, invokeByName, settle, stopWork, type Work } from './work.ts';

/** What is ended again, last started first. */
class Closers {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  async run(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch {
        // Whatever one part leaves behind, the others still have to end.
      }
    }
  }
}

/** Starts a stack; resolves when it takes requests and mail. What was started is ended again when a part fails. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const closers = new Closers();
  try {
    return await new Starter(options, closers).start();
  } catch (error) {
    await closers.run();
    throw error;
  }
}

class Starter {
  readonly #options: StackOptions;
  readonly #closers: Closers;
  readonly #dataDir: string;
  readonly #logDir: string;
  readonly #outboxDir: string;
  readonly #meter = new Meter();
  readonly #faults = new Faults();

  constructor(options: StackOptions, closers: Closers) {
    this.#options = options;
    this.#closers = closers;
    this.#dataDir = resolve(options.dataDir);
    this.#logDir = join(this.#dataDir, 'logs');
    this.#outboxDir = join(this.#dataDir, 'outbox');
  }

  async start(): Promise<Stack> {
    this.#prepareFolder();
    const clock = this.#openClock();
    const ports = await chooseStackPorts(this.#dataDir, this.#options.port ?? 0);
    this.#closers.add(() => releasePorts(ports));
    const awsUrl = `http://127.0.0.1:${ports.aws.number}`;
    const baseUrl = `http://127.0.0.1:${ports.gateway.number}`;
    const [cdkOut, chains, tables, fauxqs] = await this.#startParts(clock, ports);
    rememberStackPorts(this.#dataDir, ports, { dynoxide: tables.url, fauxqs: fauxqs.url, ...chains?.urls });
    const assembly = loadAssembly(cdkOut, { BaseUrl: baseUrl, DepositAddress: chains?.depositAddress ?? '' }, awsUrl);
    await provision(assembly, tables.url, fauxqs);
    const worldId = await this.#closing(startWorldIdStub(ports['world-id']));
    await seedSecrets(assembly, this.#dataDir, { ...(chains ? secretsOf(chains) : {}), ...worldIdSecret(worldId) });
    const runtime = this.#startRuntime(assembly, clock, awsUrl);
    await this.#startAws(assembly, clock, ports.aws, runtime, tables.url, fauxqs.url);
    const work = await this.#startWork({ assembly, clock, fauxqs, tablesUrl: tables.url }, runtime);
    const control = this.#controlActions(assembly, clock, chains, work);
    const opened = await this.#open({ assembly, clock, ports, fauxqsUrl: fauxqs.url }, work, control);
    const description = { ...this.#describe(assembly, opened, chains), world_id: { verifier_url: worldId.url } };
    const file = join(this.#dataDir, 'stack.json');
    writeFileSync(file, `${JSON.stringify(description, null, 2)}\n`);
    this.#closers.add(() => rmSync(file, { force: true }));
    return { ...description, data_dir: this.#dataDir, clock, assembly, control, stop: () => this.#closers.run() };
  }

  #prepareFolder(): void {
    checkFolder(this.#dataDir);
    this.#closers.add(lockFolder(join(this.#dataDir, LOCK_FILE)));
    markFolder(this.#dataDir);
    if (this.#options.fresh) emptyFolder(this.#dataDir);
  }

  #openClock(): MovableClock {
    const clock = new MovableClock(join(this.#dataDir, 'clock.json'), this.#options.now);
    this.#closers.add(installClock(clock));
    const time = new Date(clock.nowMs()).toISOString();
    if (clock.isLaterThanAsked) this.#options.onNotice?.(`--now is left out: in this folder it is ${time}, and time never goes backwards`);
    return clock;
  }

  /** The assembly, the chains and the emulators come up side by side; the slowest decides. */
  async #startParts(
    clock: MovableClock,
    ports: StackPorts,
  ): Promise<readonly [string, Chains | undefined, RunningEmulator, RunningFauxqs]> {
    const dataDir = this.#dataDir;
    const parts = [
      this.#timed('functions and template', () => this.#assemble()),
      this.#options.withoutChains ? undefined : this.#timed('chains', () => this.#startChains(clock, ports)),
      this.#timed('tables', () =>
        this.#closing(startAt(ports.dynoxide, (port) => startDynoxide({ port, dataDir: join(dataDir, 'tables'), logDir: this.#logDir }))),
      ),
      this.#timed('queues, topics and buckets', () =>
        this.#closing(startAt(ports.fauxqs, (port) => startQueues({ port, dataDir: join(dataDir, 'queues') }))),
      ),
    ] as const;
    // When one fails, the others have to be up before they can be ended.
    await Promise.allSettled(parts);
    return Promise.all(parts);
  }

  async #assemble(): Promise<string> {
    if (this.#options.cdkOut !== undefined) return resolve(this.#options.cdkOut);
    const { buildAssembly, copyAssembly } = await import('#infra/build.ts');
    const { readConfig } = await import('#infra/config.ts');
    const { ROOT } = await import('#infra/inventory.ts');
    // Apart from cdk.out: a synthesis for another stage must not change what runs here.
    const outDir = join(ROOT, '.build', 'assembly');
    // Not from the environment: a shell that happens to have STAGE or BASE_URL set must not change what runs here.
    const config = readConfig(() => undefined, this.#options.settings ?? {});
    await buildAssembly(outDir, config);
    // A copy of its own: functions start on demand, and a build for another stack must not change them meanwhile.
    const copy = join(this.#dataDir, 'assembly');
    await copyAssembly(outDir, copy);
    return copy;
  }

  async #startChains(clock: MovableClock, ports: StackPorts): Promise<Chains> {
    const { startChains } = await import('./chains/start-chains.ts');
    return this.#closing(startChains({ dataDir: this.#dataDir, ports, clock }));
  }

  async #timed<T>(step: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await work();
    this.#options.onProgress?.(step, performance.now() - startedAt);
    return result;
  }

  async #closing<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const started = await starting;
    this.#closers.add(() => started.stop());
    return started;
  }

  #startRuntime(assembly: Assembly, clock: MovableClock, endpointUrl: string): LambdaRuntime {
    return new LambdaRuntime({
      functions: assembly.functions,
      clock: clock.shared,
      endpointUrl,
      logDir: this.#logDir,
      recordInvocation: (record) => this.#meter.recordInvocation(record),
    });
  }

  async #startAws(
    assembly: Assembly,
    clock: MovableClock,
    port: Door,
    runtime: LambdaRuntime,
    dynamodbUrl: string,
    fauxqsUrl: string,
  ): Promise<void> {
    mkdirSync(this.#outboxDir, { recursive: true });
    const endpoint = await startAwsEndpoint({
      port,
      assembly: () => assembly,
      callers: runtime,
      clock,
      dynamodbUrl,
      fauxqsUrl,
      dataDir: this.#dataDir,
      outboxDir: this.#outboxDir,
      meter: this.#meter,
      faults: this.#faults,
    });
    this.#closers.add(() => endpoint.close());
  }

  async #startWork(parts: Omit<EventSourcesSettings, 'dataDir' | 'invoke'>, runtime: LambdaRuntime): Promise<Work> {
    const invoke = invokeAndNudge(runtime, () => sources);
    const sources: EventSources = new EventSources({ ...parts, dataDir: join(this.#dataDir, 'sources'), invoke });
    const schedules = new Schedules(parts.assembly.schedules, parts.clock, invoke);
    const work = { runtime, sources, schedules };
    this.#closers.add(() => stopWork(work));
    await sources.start();
    schedules.start();
    return work;
  }

  /** Opens the doors, last of all: mail, control and requests. */
  async #open(parts: OpenParts, work: Work, control: ControlActions): Promise<OpenDoors> {
    const { assembly, clock, ports } = parts;
    const invoke = invokeAndNudge(work.runtime, () => work.sources);
    const smtp = await startSmtp({ port: ports.smtp, rules: () => assembly.receiptRules, fauxqsUrl: parts.fauxqsUrl, clock });
    this.#closers.add(() => smtp.close());
    const controlServer = await this.#closing(startControl(ports.control, control));
    const gateway = await this.#closing(startGateway({ port: ports.gateway, routes: assembly.routes, clock, invoke }));
    return { smtpPort: smtp.port, controlPort: controlServer.port, gatewayPort: gateway.port };
  }

  #controlActions(assembly: Assembly, clock: MovableClock, chains: Chains | undefined, work: Work): ControlActions {
    return {
      advanceClock: async (seconds) => {
        if (seconds > 0) await settle(work);
        const now = clock.advance(seconds);
        if (seconds > 0) {
          await Promise.all([chains?.advance(seconds), work.sources.sweep()]);
          work.schedules.tick();
        }
        return now;
      },
      runSchedules: (name) => work.schedules.run(name),
      drain: () => drain(work),
      readMeter: () => this.#meter.snapshot(),
      resetMeter: () => this.#meter.reset(),
      addFaults: (list) => this.#faults.add(list),
      listFaults: () => this.#faults.list(),
      clearFaults: () => this.#faults.clear(),
      listFunctions: () => work.runtime.states(),
      listQueues: () => work.sources.queueStates(),
      invokeFunction: (name, event) => invokeByName(assembly, work, name, event),
    };
  }

  #describe(assembly: Assembly, doors: OpenDoors, chains: Chains | undefined): Omit<StackDescription, 'world_id'> {
    return {
      base_url: `http://127.0.0.1:${doors.gatewayPort}`,
      control_url: `http://127.0.0.1:${doors.controlPort}`,
      mail_domain: assembly.identities.find((identity) => !identity.includes('@')) ?? '',
      smtp: { host: '127.0.0.1', port: doors.smtpPort },
      outbox_dir: this.#outboxDir,
      chains: chains ? chainAddresses(chains) : {},
      deposit_address: chains?.depositAddress ?? '',
      faucet_private_key: chains?.faucetPrivateKey ?? '',
      pid: process.pid,
    };
  }
}

interface OpenParts {
  readonly assembly: Assembly;
  readonly clock: MovableClock;
  readonly ports: StackPorts;
  readonly fauxqsUrl: string;
}

interface OpenDoors {
  readonly gatewayPort: number;
  readonly controlPort: number;
  readonly smtpPort: number;
}

function chainAddresses({ urls, tempo }: Chains): Readonly<Record<string, ChainAddress>> {
  const plain = Object.entries(urls).map(([network, url]) => [network, { rpc_url: url }] as const);
  return { ...Object.fromEntries(plain), tempo: { chain_id: tempo.chainId, rpc_url: urls.tempo, currency: tempo.currency } };
}

/** The key that signs requests for proofs is new at every start: nobody here keeps a record of it. */
function worldIdSecret({ url }: WorldIdStub): Readonly<Record<string, object>> {
  return { '/world-id': { signing_key: `0x${randomBytes(32).toString('hex')}`, verifier_url: url } };
}

/** What an operator would enter by hand: where the chains are, and the key that pays for sponsored names. */
function secretsOf({ urls, tempo, platformPrivateKey }: Chains): Readonly<Record<string, object>> {
  const { tempo: tempoUrl, ...byChainId } = urls;
  return { '/chain': { rpc_urls: { ...byChainId, [tempo.chainId]: tempoUrl }, platform_private_key: platformPrivateKey } };
}
