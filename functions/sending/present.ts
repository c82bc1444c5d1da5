// How a sent message reads on the wire, and the reply of an account without credits.
import { fail, type Outcome } from '#domain/errors.ts';
import type { SentMail } from '#domain/mail/send-request.ts';
import type { BegunUpload } from '#domain/mail/uploads.ts';
import type { MailPayment } from '#domain/payments/mail-payment.ts';

const usdcPaymentBody = ({ amount, txHash, network }: MailPayment) => ({ verified: true, amount, tx_hash: txHash, network });

export const sentBody = (sent: SentMail) => ({
  success: true,
  email_id: sent.emailId,
  from: sent.from,
  ...(sent.primaryHandle !== undefined && { from_alias: sent.from, primary_handle: sent.primaryHandle }),
  to: sent.to,
  subject: sent.subject,
  internal: sent.stake !== undefined,
  attachments: sent.attachmentCount,
  ...(sent.external && { delivery: sent.external.delivery, credits: Number(sent.external.creditsAfter) }),
  ...(sent.usdcPayment && { usdc_payment: usdcPaymentBody(sent.usdcPayment) }),
  ...(sent.stake && {
    attn: {
      staked: sent.stake.amount > 0n,
      amount: Number(sent.stake.amount),
      reason: sent.stake.reason,
      balance_after: Number(sent.stake.balanceAfter),
    },
  }),
});

/** Prices of credits, as the 402 and `GET /api/credits` tell them. */
export const CREDIT_PRICING = {
  credits_per_eth: 1_000_000,
  minimum_eth: '0.0001',
  minimum_credits: 100,
  credits_per_external_email: 1,
} as const;

/** 402 with what the caller can do about it (interface, `POST /api/send`). */
export const outOfCredits =
  (baseUrl: string, depositAddress: string) =>
  (credits: bigint): Outcome<never> =>
    fail('out_of_credits', {
      fields: {
        credits: Number(credits),
        upgrade: {
          message: 'External mail costs 1 credit a message. Buy credits with ETH; mail between agents stays free.',
          pricing: CREDIT_PRICING,
          how_to: [
            `Send at least 0.0001 ETH from your wallet to ${depositAddress} on Base (chain id 8453) or Ethereum.`,
            'Wait for its confirmation.',
            `POST ${baseUrl}/api/credits/buy with {"tx_hash": "0x..."}.`,
          ],
          dashboard: `${baseUrl}/api/credits`,
          docs: `${baseUrl}/api/docs`,
        },
      },
    });

export const uploadBody = ({ upload, address }: BegunUpload) => ({ upload_id: upload.id, ...address, expires_at: upload.expiresAt });
