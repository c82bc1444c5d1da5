// Takes payments by call with mppx: challenges, the proof of who pays, and the charge itself, in USDC.e on Tempo. This is
// the only place that knows mppx; the library is loaded by calls that pay and by nothing else.
import { FailureError, ok, type Outcome } from '#domain/errors.ts';
import { decimalText } from '#domain/payments/pricing.ts';
import type { Offer, PaymentChallenge, PaymentJournal, PresentedCredential, Settlement, Teller } from '#domain/ports/pay-per-call.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { paymentFailure } from './payment-errors.ts';
import { requireSigner } from './proven-payer.ts';

export interface TellerSettings {
  /** Signs challenges; the same on every function. */
  readonly secretKey: () => Promise<string>;
  /** Named in challenges and bound into payments: the service, not a host that may have several names. */
  readonly realm: string;
  readonly recipient: Wallet;
  readonly chainId: number;
  /** Addresses of the chain's nodes, tried in order. */
  readonly rpcUrls: () => Promise<readonly string[]>;
}

const DECIMALS = 6;
const RPC_TIMEOUT_MS = 8_000;
const RPC_POLL_MS = 100;
const TESTNET_CHAIN_ID = 42431;
/** USDC.e; the test network pays in pathUSD. */
const CURRENCY = '0x20C000000000000000000000b9537d11c60E8b50';
const TESTNET_CURRENCY = '0x20c0000000000000000000000000000000000000';
/** Keys of the library's replay store end in the payment's hash. */
const CLAIM_KEY = /^mppx:charge:(0x[0-9a-f]{64})$/;

const library = () => import('#evm-runtime/mppx.ts');

const currencyOf = (chainId: number) => (chainId === TESTNET_CHAIN_ID ? TESTNET_CURRENCY : CURRENCY);

const openClient = async ({ chainId, rpcUrls }: TellerSettings) => {
  const { createClient, fallback, http, tempoChain } = await library();
  const transports = (await rpcUrls()).map((url) => http(url, { timeout: RPC_TIMEOUT_MS, retryCount: 0 }));
  const chain = { ...tempoChain, id: chainId as typeof tempoChain.id };
  return createClient({ chain, transport: fallback(transports, { retryCount: 0 }), pollingInterval: RPC_POLL_MS, cacheTime: 0 });
};

const hashOfClaim = (key: string): string => CLAIM_KEY.exec(key)?.[1] ?? key;

/** The library's replay store over the journal: it only ever claims a payment, or gives one back that was not sent. */
const replayStore = (journal: PaymentJournal | undefined) => ({
  get: async () => null,
  put: async () => undefined,
  delete: async (key: string) => journal?.release(hashOfClaim(key)),
  update: async () => {
    throw new Error('no payment here needs a read-modify-write');
  },
  tryClaim: async (key: string, expiresMs: number) => (await journal?.claim(hashOfClaim(key), Math.ceil(expiresMs / 1000))) === true,
});

const openLibrary = async (settings: TellerSettings, journal?: PaymentJournal) => {
  const { Mppx, tempo } = await library();
  const { recipient, chainId, realm } = settings;
  const [client, secretKey] = await Promise.all([openClient(settings), settings.secretKey()]);
  const charge = tempo.charge({ currency: currencyOf(chainId), recipient, chainId, store: replayStore(journal), getClient: () => client });
  return Mppx.create({ realm, secretKey, methods: [charge] });
};

/** What binds a credential to this operation and its price. */
const routeOf = (offer: Offer) => ({ scope: offer.scope, request: { amount: decimalText(offer.units, DECIMALS) } });

const challengeFor = async (settings: TellerSettings, offer: Offer): Promise<PaymentChallenge> => {
  const { Challenge } = await library();
  const mppx = await openLibrary(settings);
  const { scope, request } = routeOf(offer);
  const challenge = await mppx.challenge.tempo.charge({ ...request, scope, description: offer.description });
  const terms = {
    method: 'tempo',
    intent: 'charge',
    amount: offer.units.toString(),
    decimals: DECIMALS,
    currency: currencyOf(settings.chainId),
    recipient: settings.recipient,
    chain_id: settings.chainId,
    expires_at: challenge.expires,
  };
  return { header: Challenge.serialize(challenge), terms };
};

const paymentHashOf = async (payload: unknown): Promise<string> => {
  const { keccak256 } = await library();
  const fields = payload as { readonly type?: unknown; readonly hash?: unknown; readonly signature?: unknown };
  const hex = fields.type === 'hash' ? fields.hash : fields.signature;
  if (typeof hex !== 'string' || !/^0x[0-9a-fA-F]+$/.test(hex)) throw new Error('a credential without a payment');
  return (fields.type === 'hash' ? hex : keccak256(hex as `0x${string}`)).toLowerCase();
};

const read = async (header: string): Promise<PresentedCredential> => {
  const { Credential } = await library();
  const { challenge, payload } = Credential.deserialize(header);
  return { header, challengeId: challenge.id, paymentHash: await paymentHashOf(payload) };
};

const validate = async (settings: TellerSettings, credential: PresentedCredential, offer: Offer): Promise<Wallet> => {
  const mppx = await openLibrary(settings);
  const { details } = await mppx.validateCredential(credential.header, routeOf(offer));
  const paid = details as { readonly sender: string; readonly serializedTransaction?: `0x${string}` };
  const sender = paid.sender.toLowerCase() as Wallet;
  // A payment that was sent already is the chain's word; one that is still to be sent is only what its envelope says.
  if (paid.serializedTransaction) await requireSigner(await openClient(settings), sender, paid.serializedTransaction);
  return sender;
};

const charge = async (
  settings: TellerSettings,
  credential: PresentedCredential,
  offer: Offer,
  journal: PaymentJournal,
): Promise<string> => {
  const mppx = await openLibrary(settings, journal);
  const receipt = await mppx.broadcastCredential(credential.header, routeOf(offer));
  return receipt.reference.toLowerCase();
};

const settlementOf = async (settings: TellerSettings, reference: string): Promise<Settlement> => {
  const { getTransactionReceipt } = await library();
  try {
    const { status } = await getTransactionReceipt(await openClient(settings), { hash: reference as `0x${string}` });
    return status === 'success' ? 'paid' : 'failed';
  } catch (error) {
    return error instanceof Error && error.name === 'TransactionReceiptNotFoundError' ? 'unknown' : 'unavailable';
  }
};

const attempt = async <T>(work: () => Promise<T>): Promise<Outcome<T>> => {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    return paymentFailure(error);
  }
};

/** The `Teller` port over mppx. */
export const openTeller = (settings: TellerSettings): Teller => ({
  challenge: (offer) => challengeFor(settings, offer),
  read: (header) => attempt(() => read(header)),
  validate: (credential, offer) => attempt(() => validate(settings, credential, offer)),
  charge: (credential, offer, journal) => attempt(() => charge(settings, credential, offer, journal)),
  settlementOf: (reference) => settlementOf(settings, reference),
  receipt: async (reference, paidAt) => {
    const { Receipt } = await library();
    const timestamp = new Date(paidAt * 1000).toISOString();
    return Receipt.serialize({ method: 'tempo', status: 'success', timestamp, reference });
  },
});
