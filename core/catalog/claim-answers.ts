import { z } from 'zod';
import { CLAIM_WIRE_STATUSES } from '../claims/claims.ts';
import { CLAIM_METHODS } from '../platforms/row.ts';

/** The answers of claims, as in `answers.ts`. */
const message = z.string().meta({ description: 'for people; may change' });
const time = z.iso.datetime();
const amount = z.number().meta({ description: 'USDC' });
const claimId = z.string().regex(/^claim_[A-Za-z0-9_-]{22}$/);
const method = z.enum(CLAIM_METHODS).meta({ description: 'how the name is proven' });
const claimStatus = z.enum(CLAIM_WIRE_STATUSES).meta({
  description:
    'pending: waits for the proof; verified: for the confirmation; paying, paid; expired; rejected: not proven, or declined',
});
const sums = z
  .array(z.object({ network: z.string(), amount }))
  .nullable()
  .meta({ description: 'on which network it lies' });
const total = z.number().nullable().meta({ description: 'USDC that waits, or was collected; null before the proof' });
const destinations = z
  .array(z.object({ network: z.string(), address: z.string() }))
  .nullable()
  .meta({ description: 'where it goes, one address a network; null before the proof' });
const provenName = z.string().nullable().meta({ description: 'platform:name that was proven; null before the proof' });

export const openClaimAnswer = z.object({
  code: z.literal(201),
  msg: message,
  data: z.object({
    claim_id: claimId,
    method,
    expires_at: time,
    oauth: z
      .object({ url: z.url() })
      .optional()
      .meta({ description: 'where to sign in, in the browser that holds the cookie of this answer' }),
    siwf: z.object({ url: z.url() }).optional().meta({ description: 'a link on the phone, a QR code elsewhere' }),
    domain: z
      .object({ txt_name: z.string(), file_url: z.url(), line: z.string() })
      .optional()
      .meta({ description: 'publish the line as a TXT record, or as a line of the file' }),
    email: z
      .object({
        to: z.string(),
        code_expires_at: time.nullable().meta({ description: 'null: no code was sent for this claim' }),
        tries_left: z.int(),
        last_mail_at: time.nullable().meta({ description: 'the link in that mail works in any browser, for an hour' }),
      })
      .optional()
      .meta({ description: 'a code of 8 digits is sent there, unless another mail was sent a moment before' }),
  }),
});

export const proveClaimAnswer = z.object({
  code: z.literal(200),
  msg: message,
  data: z.object({
    status: claimStatus,
    name: provenName,
    total,
    sums,
    destinations,
    confirm_token: z.string().nullable().meta({ description: 'for the confirmation, once; null without a proof' }),
  }),
});

export const claimAnswer = z.object({
  code: z.literal(200),
  msg: message,
  data: z.object({
    claim_id: claimId,
    method,
    status: claimStatus,
    reason: z.string().nullable().meta({ description: 'why it was rejected, or what the last sign-in lacked' }),
    expires_at: time,
    name: provenName,
    total,
    sums,
    network: z.string().nullable().meta({ description: 'the only network there is money on; null for several' }),
    destinations,
    effective_at: time.nullable().meta({ description: 'another address stands: the new one counts from then on' }),
    waiting_for_route: z
      .object({
        sums: z.array(z.object({ network: z.string(), amount })),
        why: message,
        until: time.meta({ description: 'then the first of it goes back to its payer' }),
        what_to_do: message,
      })
      .nullable()
      .meta({
        description: 'what no address of this person, or not what is kept here for them, can take yet; null: nothing',
      }),
    returned: amount
      .nullable()
      .meta({ description: 'what this claim had released and goes back to its payer after all; null: nothing' }),
    txn_ids: z.array(z.int().positive()),
    transaction_hashes: z.array(z.string()),
  }),
});
