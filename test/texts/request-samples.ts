import type { RequestProblem } from '../../core/money-requests/money-requests.ts';
import { microUsdc } from '../../core/money.ts';
import type { AnsweredStage } from '../../texts/money-requests/en.ts';

const facts = { asker: 'zqasker', asked: 'zqasked', amount: microUsdc(3_170_000n) };
const BOTH = [true, false] as const;

const STAGES: Record<AnsweredStage, true> = {
  agreed: true,
  sent: true,
  paid: true,
  unpaid: true,
  declined: true,
  ended: true,
};
const PROBLEMS: Record<RequestProblem, true> = {
  elsewhere: true,
  too_many_people: true,
  exact_amount: true,
  not_here: true,
  self: true,
  bot: true,
  closed: true,
  plain_reason: true,
  too_many_open: true,
  asked_often: true,
  asks_often: true,
};

export const REQUEST_SAMPLES = {
  requestCard: [null, 'zqreason'].map((reason) => [{ ...facts, reason, days: 37 }] as const),
  payRequest: [[facts.amount]],
  declineRequest: [[]],
  neverRequest: [[]],
  requestStage: (Object.keys(STAGES) as AnsweredStage[]).map((stage) => [stage, facts] as const),
  billCard: [null, 'zqreason'].flatMap((reason) =>
    [null, 37].map((days) => [{ asker: 'zqasker', sum: facts.amount, reason, days }, [[{ text: 'zqline' }]]] as const),
  ),
  billLine: (['open', ...Object.keys(STAGES)] as ('open' | AnsweredStage)[]).map(
    (stage) => ['zqname', facts.amount, stage] as const,
  ),
  payShare: [[]],
  cannotAsk: [['zqname']],
  notYourRequest: [[]],
  neverAgain: [[]],
  requestsChosen: BOTH.map((isAllowed) => [isAllowed] as const),
  requestsChosenFor: BOTH.map((isAllowed) => ['zqname', isAllowed] as const),
  explainRequests: [[]],
  requestProblem: (Object.keys(PROBLEMS) as RequestProblem[]).map(
    (problem) => [problem, { open: 37, sent: 41, got: 43, people: 47 }] as const,
  ),
} as const;
