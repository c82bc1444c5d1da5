// Quadratic attention: many small bonds count for more than one large, and CO-QAF discounts senders that move together.
// Bonds are exact to the micro until the square root; the scores are numbers, rounded at the edge only.

const MICROS_PER_USDC = 1_000_000;

/** What one sender put into bonds with a recipient, and everyone that this sender has bonds with. */
export interface BondingSender<Name extends string = string> {
  readonly sender: Name;
  readonly bondMicros: bigint;
  readonly recipients: ReadonlySet<string>;
}

export interface DiscountedSender<Name extends string = string> {
  readonly sender: Name;
  readonly bondUsdc: number;
  /** Sum of the overlaps with the other senders. */
  readonly sumAlpha: number;
  readonly discountedBond: number;
  /** How many others overlap at all. */
  readonly connections: number;
}

export interface CoQaf<Name extends string = string> {
  readonly qaf: number;
  readonly coqaf: number;
  /** coqaf / qaf; 1 without bonds. */
  readonly discountRatio: number;
  readonly senders: readonly DiscountedSender<Name>[];
}

export const usdcOf = (micros: bigint): number => Number(micros) / MICROS_PER_USDC;

const quadratic = (bonds: readonly number[]): number => bonds.reduce((sum, bond) => sum + Math.sqrt(bond), 0) ** 2;

/** QAF = (sum over senders of sqrt(bond))²; one entry a sender, in USDC. */
export const qafOf = (senders: readonly Pick<BondingSender, 'bondMicros'>[]): number =>
  quadratic(senders.map(({ bondMicros }) => usdcOf(bondMicros)));

/** |A ∩ B| / |A ∪ B|; 0 for two empty sets. */
export const jaccard = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const shared = [...a].filter((item) => b.has(item)).length;
  const together = a.size + b.size - shared;
  return together === 0 ? 0 : shared / together;
};

const discount = <Name extends string>(one: BondingSender<Name>, all: readonly BondingSender<Name>[]): DiscountedSender<Name> => {
  const alphas = all.filter((other) => other !== one).map((other) => jaccard(one.recipients, other.recipients));
  const sumAlpha = alphas.reduce((sum, alpha) => sum + alpha, 0);
  const bondUsdc = usdcOf(one.bondMicros);
  const connections = alphas.filter((alpha) => alpha > 0).length;
  return { sender: one.sender, bondUsdc, sumAlpha, discountedBond: bondUsdc / (1 + sumAlpha), connections };
};

/** CO-QAF: QAF over bonds that are divided by 1 + the sum of the sender's overlaps. */
export const coQafOf = <Name extends string>(senders: readonly BondingSender<Name>[]): CoQaf<Name> => {
  const discounted = senders.map((one) => discount(one, senders));
  const qaf = qafOf(senders);
  const coqaf = quadratic(discounted.map(({ discountedBond }) => discountedBond));
  return { qaf, coqaf, discountRatio: qaf === 0 ? 1 : coqaf / qaf, senders: discounted };
};
