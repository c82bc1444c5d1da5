// A row of the contract. From it follow the validator, the handler's types, the API Gateway route and the OpenAPI operation.
import type * as z from 'zod';
import type { ErrorCode } from '#domain/errors.ts';

/** Areas are deployed as one function each: they change together and need the same permissions. */
export const AREAS = [
  'auth',
  'registration',
  'identity',
  'mailbox',
  'sending',
  'payments',
  'attention',
  'attn',
  'airdrop',
  'webhooks',
  'aliases',
  'settings',
  'world-id',
  'discovery',
] as const;
export type Area = (typeof AREAS)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: `public` takes no credential, `wallet` any valid Bearer, `account` a Bearer whose wallet has a handle.
 * A row with `payment` may be called with an MPP `Payment` credential instead.
 */
export type Access = 'public' | 'wallet' | 'account';

/** Fixed-window limits (interface, "Limits"). */
export type LimitName = 'register' | 'sponsored-basename' | 'send-ip' | 'send-handle' | 'prestore';

export interface RowResponse {
  readonly description: string;
  /** The JSON body; absent for bytes and empty replies. */
  readonly body?: z.ZodType;
  /** Set for replies that are not JSON, e.g. `message/rfc822`. */
  readonly contentType?: string;
}

export interface Deprecation {
  /** operationId of what replaces it. */
  readonly replacedBy: string;
}

export interface RowPayment {
  /** Price of one call in the 6-decimal units of USDC.e. */
  readonly amount: string;
  /** What the row's description says besides. Apart from it, because not every deployment takes payments. */
  readonly description: string;
}

export interface RouteRow {
  readonly operationId: string;
  readonly method: Method;
  /** API Gateway form: `/api/inbox/{id}`. */
  readonly path: `/${string}`;
  readonly area: Area;
  readonly access: Access;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** The JSON body. `bodyOptional` lets it be absent altogether (it is then read as `{}`). */
  readonly body?: z.ZodObject;
  readonly bodyOptional?: boolean;
  /** Success replies by status. */
  readonly responses: Readonly<Record<number, RowResponse>>;
  /** Failures that this operation can answer with, beyond those every operation has. */
  readonly errors: readonly ErrorCode[];
  readonly limits?: readonly LimitName[];
  /** `Cache-Control: public, max-age=N` on success; absent means `no-store`. */
  readonly cacheSeconds?: number;
  /** Takes `Idempotency-Key`: every POST that creates or spends. */
  readonly idempotent?: boolean;
  /** The reply holds a secret, so a stored copy of it is encrypted. */
  readonly secretReply?: boolean;
  /** How one call is paid by an MPP credential, where the operator takes such payments. */
  readonly payment?: RowPayment;
  readonly deprecated?: Deprecation;
  /** Only who is calling matters here, not the account's numbers: its item is then read at half the price. */
  readonly accountRead?: 'eventual';
  /** The use case comes with a later release: answers 501 `not_implemented` after authentication. */
  readonly planned?: true;
}

/** All that a row has to say of itself: what it does and, where it takes payments, how it is paid. */
export const descriptionOf = ({ description, payment }: RouteRow): string =>
  payment === undefined ? description : `${description} ${payment.description}`;

/** Names a row and keeps its literal types, so that handler arguments and replies follow from its schemas. */
export const defineRoute = <const R extends RouteRow>(row: R): R => row;

type Parsed<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;
type OkStatus<R extends RouteRow> = keyof R['responses'];
type BodyOf<X> = X extends { body: infer B extends z.ZodType } ? z.input<B> : undefined;

/** The parsed path parameters, query and body of a row. */
export interface RouteInput<R extends RouteRow> {
  readonly params: Parsed<R['params']>;
  readonly query: Parsed<R['query']>;
  readonly body: Parsed<R['body']>;
}

/** The JSON body a row's handler gives for any of its success statuses. */
export type RouteBody<R extends RouteRow> = { [S in OkStatus<R>]: BodyOf<R['responses'][S]> }[OkStatus<R>];
