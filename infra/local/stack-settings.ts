// What a stack is started with, and what it tells of itself once it runs (also written to `stack.json`).
import type { MovableClock } from './clock.ts';
import type { ControlActions } from './control.ts';
import type { Assembly } from './model.ts';

export interface StackOptions {
  /** Settings other than the local ones, by their environment names, e.g. `{ MPP_ENABLED: 'false' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Port of the HTTP API; 0 or nothing: the folder's own, else a free one. A number that is in use is an error. */
  readonly port?: number;
  /** The stack's own folder. One that holds other files and no stack is refused. */
  readonly dataDir: string;
  /** Removes first what an earlier stack wrote there; wallets and files of others stay. */
  readonly fresh?: boolean;
  /** Starts the clock at this time, Unix seconds, rather than today; never earlier than a known folder's own time. */
  readonly now?: number;
  /** Runs this cloud assembly as it is, instead of building the service's own. */
  readonly cdkOut?: string;
  /** Leaves the chains out, for templates that have nothing to do with them. */
  readonly withoutChains?: boolean;
  /** Told about each step with the milliseconds it took. */
  readonly onProgress?: (step: string, tookMs: number) => void;
  /** Told in a sentence what of these options is left out, and why. */
  readonly onNotice?: (notice: string) => void;
}

export interface ChainAddress {
  readonly rpc_url: string;
  readonly chain_id?: number;
  readonly currency?: string;
}

/** The fields of `stack.json`. */
export interface StackDescription {
  readonly base_url: string;
  readonly control_url: string;
  readonly mail_domain: string;
  readonly smtp: { readonly host: string; readonly port: number };
  readonly outbox_dir: string;
  readonly chains: Readonly<Record<string, ChainAddress>>;
  readonly deposit_address: string;
  readonly faucet_private_key: string;
  /** The stand-in for World's verifier; `POST /dev/prove/{rp_id}` there makes proofs of made-up humans. */
  readonly world_id: { readonly verifier_url: string };
  readonly pid: number;
}

/** A running stack, for use in the same process. */
export interface Stack extends StackDescription {
  readonly data_dir: string;
  readonly clock: MovableClock;
  readonly assembly: Assembly;
  /** What the control URL does, without the detour over HTTP. */
  readonly control: ControlActions;
  stop(): Promise<void>;
}
