import { z } from 'zod';
import { addressFamily, familyOf, NETWORKS } from '../../core/networks.ts';
import { line } from '../../core/view.ts';
import { findMeant } from '../shared/networks.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { readWholeAmount } from '../../core/grammar/withdraw.ts';
import { splitWords } from '../../core/grammar/words/words.ts';
import { mistake } from '../../core/grammar/mistakes.ts';
import type { PersonWallet } from '../shared/wallets.ts';
import { draftWithdrawal, type WithdrawDraft } from '../wallets/withdraw-draft.ts';
import type { WithdrawProblem } from '../../texts/withdrawals/problem.ts';
import { chosenSum } from '../../web/components/sums.ts';
import type { FormProblem } from './shown.ts';

const reviewForm = z
  .object({
    wallet: z.string().max(300),
    /** Absent where the form of the address says it. */
    network: z.enum(NETWORKS).optional(),
    address: z.string().max(200),
    sum: z.string().max(60).default(''),
    amount: z.string().max(60).default(''),
  })
  .transform(chosenSum);
const onlyForm = z.object({ wallet: z.string().max(300) });
const sendForm = z.object({
  token: z.string().max(64),
  /** What the passkey signed; absent in the form that goes without it. */
  signed: z.string().max(4_000).optional(),
});
const wishForm = z
  .object({
    platform: z.string().max(40),
    name: z.string().max(400),
    sum: z.string().max(60).default(''),
    amount: z.string().max(60).default(''),
    note: z.string().max(1_000).default(''),
  })
  .transform(chosenSum);
const cancelForm = z.object({ withdrawal: z.string().max(64) });

export type ReviewForm = z.infer<typeof reviewForm>;

/** Null for what our own page cannot have sent. */
export function readReviewForm(fields: unknown): ReviewForm | null {
  return reviewForm.safeParse(fields).data ?? null;
}

/** Judged where it is sent from; until then it only stands in a form. */
export function readWish(fields: unknown): z.infer<typeof wishForm> | null {
  return wishForm.safeParse(fields).data ?? null;
}

export function readOnlyForm(fields: unknown): { wallet: string } | null {
  return onlyForm.safeParse(fields).data ?? null;
}

export function readSendForm(fields: unknown): z.infer<typeof sendForm> | null {
  return sendForm.safeParse(fields).data ?? null;
}

export function readCancelForm(fields: unknown): { withdrawal: string } | null {
  return cancelForm.safeParse(fields).data ?? null;
}

export type Reviewed = { kind: 'draft'; draft: WithdrawDraft } | { kind: 'problem'; problem: FormProblem };

/**
 * What a form asks for, with nothing left open, or what is wrong with it and where. `passkeyId`: the one that will be asked to
 * agree, so that the time is what it is then.
 */
export async function reviewWish(
  deps: Pick<CoreDeps, 'texts' | 'networks' | 'clock' | 'store' | 'log'>,
  { walletId }: PersonWallet,
  form: ReviewForm,
  passkeyId: string | null,
): Promise<Reviewed> {
  const { network: named = null, amount } = form;
  const address = form.address.trim();
  const { texts } = deps;
  const refuse = (field: FormProblem['field'], problem: FormProblem['problem']): Reviewed => ({
    kind: 'problem',
    problem: { walletId, field, problem, typed: { network: named ?? '', address, amount } },
  });
  if (amount.trim() === '') return refuse('amount', line`${texts.purse.sumMissing}`);
  const reading = readWholeAmount(splitWords(amount).map(({ text }) => text));
  if (reading.kind === 'mistake') {
    return refuse('amount', texts.mistake(mistake(reading.code, reading.found, [reading.instead])));
  }
  const family = addressFamily(address);
  if (family === null) return refuse('address', line`${texts.purse.noAddress}`);
  // A choice between networks of one family is about that family alone: an address of the other one speaks for itself.
  const network = named !== null && familyOf(named) === family ? named : null;
  const meant = findMeant(deps.networks, { family, network });
  if ('code' in meant) return refuse(fieldOf(meant), texts.withdrawProblem(meant));
  const wish = { walletId, network: meant.network, address, amount: reading.form, passkeyId };
  const drafted = await draftWithdrawal(deps, wish);
  if (drafted.kind === 'draft') return drafted;
  return refuse(fieldOf(drafted.problem), texts.withdrawProblem(drafted.problem));
}

function fieldOf({ code }: WithdrawProblem): FormProblem['field'] {
  switch (code) {
    case 'network_off':
    case 'which_network':
    case 'unreachable':
      return 'network';
    case 'address':
    case 'own_address':
      return 'address';
    case 'too_little':
    case 'not_enough':
      return 'amount';
  }
}
