import { addHits, countHits, type Hits } from '../../../scripts/torture/faults.ts';
import type { Judge } from './judge.ts';
import { describeRequest, type TestRequest } from './request.ts';
import { send, type Place } from './send.ts';

export type Tally = {
  sent: number;
  withValidBody: number;
  /** What was sent wrong on purpose. */
  hits: Hits;
  wrong: Finding[];
  hung: Finding[];
  slowestMs: number;
};

/** Seed and index make the same request again. */
export type Finding = { seed: number; index: number; text: string };

export const newTally = (): Tally => ({ sent: 0, withValidBody: 0, hits: {}, wrong: [], hung: [], slowestMs: 0 });

/** Enough callers at once that requests meet each other, few enough that the server is never just busy. */
const CALLERS = 12;

type Course = { seed: number; tally: Tally; judge: Judge; place: Place };

/** Sends all of them, in their order but not one after another, and writes down what came of each. */
export async function runRequests(list: readonly TestRequest[], course: Course): Promise<void> {
  const left = list.entries();
  const caller = async () => {
    for (const [index, request] of left) await runOne(request, index, course);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function runOne(request: TestRequest, index: number, { seed, tally, judge, place }: Course): Promise<void> {
  const outcome = await send(request, place);
  tally.sent += 1;
  if (request.hasValidBody) tally.withValidBody += 1;
  tally.hits = addHits(tally.hits, countHits(faultsOf(request)));
  if (outcome.kind === 'answer') tally.slowestMs = Math.max(tally.slowestMs, outcome.answer.tookMs);
  const verdict = judgeOutcome(request, outcome, judge);
  if (verdict === null) return;
  const finding = { seed, index, text: `${verdict} — ${describeRequest(request)}` };
  (outcome.kind === 'hung' ? tally.hung : tally.wrong).push(finding);
}

function faultsOf({ delivery, proof, body, hasValidBody }: TestRequest): string[] {
  const isForged =
    (proof?.kind === 'base' && proof.terms.signature !== 'own') || (proof?.kind === 'solana' && !proof.terms.isSigned);
  return [
    ...(delivery === 'whole' ? [] : [delivery]),
    ...(isForged ? ['forged signature'] : []),
    ...(body === null || hasValidBody ? [] : ['wrong body']),
  ];
}

/** What is wrong with what came of a request; null when nothing is. */
export function judgeOutcome(
  request: TestRequest,
  outcome: Awaited<ReturnType<typeof send>>,
  judge: Judge,
): string | null {
  switch (outcome.kind) {
    case 'none':
      return null;
    case 'hung':
      return 'hung';
    case 'wrong':
      return outcome.why;
    case 'answer': {
      const problems = judge(request, outcome.answer);
      const { status, text } = outcome.answer;
      return problems.length === 0 ? null : `${status} ${problems.join('; ')} — ${text.slice(0, 300)}`;
    }
  }
}
