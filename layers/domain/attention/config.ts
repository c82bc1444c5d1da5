// The USDC pricing of an account (decisions, "Legacy USDC attention").

export interface AttentionConfig {
  readonly enabled: boolean;
  /** p0 in USDC. */
  readonly basePrice: number;
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly responseWindowHours: number;
}

/** What fields become that the first write leaves out. */
export const CONFIG_DEFAULTS: AttentionConfig = {
  enabled: false,
  basePrice: 0.01,
  alpha: 0.1,
  beta: 1,
  gamma: 0.5,
  responseWindowHours: 168,
};
