import { z } from 'zod';
import { NETWORKS } from '../../core/networks.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { readWholeAmount } from '../../core/grammar/withdraw.ts';
import { splitWords } from '../../core/grammar/words.ts';
import { mistake } from '../../core/grammar/mistakes.ts';
import type { PersonWallet } from '../shared/wallets.ts';
import { draftWithdrawal, type WithdrawDraft } from '../wallets/withdraw-draft.ts';
import type { WithdrawProblem } from '../../texts/withdrawals/problem.ts';
import type { FormProblem } from './wallets-page.ts';

const reviewForm = z.object({
  wallet: z.string().max(300),
  network: z.enum(NETWORKS),
  address: z.string().max(200),
  amount: z.string().max(60),
});
const onlyForm = z.object({ wallet: z.string().max(300) });
const sendForm = z.object({ token: z.string().max(64) });
const cancelForm = z.object({ withdrawal: z.string().max(64) });

export type ReviewForm = z.infer<typeof reviewForm>;

/** Null for what our own page cannot have sent. */
export function readReviewForm(fields: unknown): ReviewForm | null {
  return reviewForm.safeParse(fields).data ?? null;
}

export function readOnlyForm(fields: unknown): { wallet: string } | null {
  return onlyForm.safeParse(fields).data ?? null;
}

export function readSendForm(fields: unknown): { token: string } | null {
  return sendForm.safeParse(fields).data ?? null;
}

export function readCancelForm(fields: unknown): { withdrawal: string } | null {
  return cancelForm.safeParse(fields).data ?? null;
}

export type Reviewed = { kind: 'draft'; draft: WithdrawDraft } | { kind: 'problem'; problem: FormProblem };

/** What a form asks for, with nothing left open, or what is wrong with it and where. */
export async function reviewWish(
  deps: Pick<CoreDeps, 'texts' | 'networks' | 'clock' | 'store' | 'log'>,
  { walletId }: PersonWallet,
  form: ReviewForm,
): Promise<Reviewed> {
  const { network, address, amount } = form;
  const { texts } = deps;
  const refuse = (field: FormProblem['field'], problem: FormProblem['problem']): Reviewed => ({
    kind: 'problem',
    problem: { walletId, field, problem, typed: { network, address, amount } },
  });
  const reading = readWholeAmount(splitWords(amount).map(({ text }) => text));
  if (reading.kind === 'mistake') {
    return refuse('amount', texts.mistake(mistake(reading.code, reading.found, [reading.instead])));
  }
  const drafted = await draftWithdrawal(deps, { walletId, network, address: address.trim(), amount: reading.form });
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
