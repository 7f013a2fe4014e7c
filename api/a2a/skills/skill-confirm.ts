import { AppError } from '../../../core/errors.ts';
import { canonicalAddress, familyOf, type Family } from '../../../core/networks.ts';
import { findTask, transfersSeen, type FoundTask, type SeenTransfer } from '../../../db/tasks/find.ts';
import type { ApiDependencies, ApiNetwork } from '../../environment/dependencies.ts';
import type { TransactionTransfers } from '../../transfers/transfer-reader.ts';
import { Refusal } from '../refusal.ts';
import { answerConfirmed, answerRequired, networkName, type SkillAnswer } from './skill-answer.ts';
import type { TaskContext } from '../task-context.ts';
import { paymentTaking } from './taken.ts';
import { whyNot } from './transfer-reason.ts';

/** How often a task is read again when no announcement comes. */
const POLL_MS = 500;

type Presented = { network: string; transactionHash: string };

/**
 * The second call. The scan decides which transfer paid a task, not the presented hash: this call waits for that and
 * says why it will not come. The same call again has the same answer.
 */
export async function confirmTransfer(
  context: TaskContext,
  found: FoundTask,
  presented: Presented,
): Promise<SkillAnswer> {
  const { dependencies, caller } = context;
  const network = requireNetwork(dependencies, presented.network);
  const hash = canonicalHash(network, presented.transactionHash);
  const deadline = dependencies.now() + dependencies.settings.settlementWaitMs;
  const paid = await answerPaid(context, found, network, hash);
  if (paid !== null) return paid;
  // Read before the task, so that what the books take for this task meanwhile counts as its own.
  const transaction = await readTransaction(dependencies, network, hash);
  for (;;) {
    const current = await findTask(dependencies.store, found.task.id);
    if (current === null) throw new Refusal('unknown_task', { field: 'taskId' });
    const answer = await answerPaid(context, current, network, hash);
    if (answer !== null) return answer;
    assertMayPay(current, network, transaction);
    const isOver = dependencies.now() >= deadline || caller.connection.signal.aborted;
    // What is not on the chain yet may never be: its sender knows better when to ask again.
    if (transaction.landed.kind === 'not-found' || isOver) {
      return answerRequired(context, current, null, 'payment_not_found_yet');
    }
    await dependencies.waitForChange(current.task.id, POLL_MS, caller.connection.signal);
  }
}

/** The answer of a task that is paid, by this transaction and no other. */
async function answerPaid(
  context: TaskContext,
  found: FoundTask,
  { terms }: ApiNetwork,
  hash: string,
): Promise<SkillAnswer | null> {
  const taken = await paymentTaking(context.dependencies.store, found);
  if (taken === null) return null;
  const isThis = taken.network === terms.network && taken.landedTransaction === hash;
  if (isThis && taken.answer !== null) return answerConfirmed(context, found.task.id, taken, taken.answer);
  throw notAccepted('task_already_paid', 'This task is being paid in another way, or was.');
}

type SeenTransaction = { landed: TransactionTransfers; seen: SeenTransfer[] };

/** What the chain and the books know of it. */
async function readTransaction(
  { store }: Pick<ApiDependencies, 'store'>,
  { terms, transfers }: ApiNetwork,
  hash: string,
): Promise<SeenTransaction> {
  if (!transfers) throw notPayableOn(terms);
  const landed = await transfers.transfersOf(hash);
  if (landed.kind === 'unavailable') throw new AppError('upstream_unavailable', { retryAfterSeconds: 5 });
  return { landed, seen: await transfersSeen(store, terms.network, hash) };
}

/** Throws when a landed transaction can never pay for this task. */
function assertMayPay({ task, offers }: FoundTask, { terms }: ApiNetwork, { landed, seen }: SeenTransaction): void {
  const offer = offers.find(({ network }) => network === terms.network);
  if (offer === undefined) throw notPayableOn(terms);
  const why = landed.kind === 'found' ? whyNot(task, offer, landed, seen) : null;
  if (why !== null) throw notAccepted(why.reason, why.detail);
}

function notPayableOn(terms: ApiNetwork['terms']): Refusal {
  return notAccepted('invalid_network', `This task cannot be paid on ${networkName(terms)}.`);
}

function requireNetwork({ networks }: Pick<ApiDependencies, 'networks'>, name: string): ApiNetwork {
  const found = networks.find(({ terms }) => [terms.caip2, terms.v1Name, ...terms.aliases].includes(name));
  if (found !== undefined) return found;
  const offered = networks.map(({ terms }) => networkName(terms)).join(', ');
  throw new Refusal('payment_not_accepted', {
    field: 'payment.network',
    reason: 'invalid_network',
    detail: `The networks here are ${offered}.`,
  });
}

const HASHES = {
  evm: /^0x[0-9a-fA-F]{64}$/,
  svm: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
} as const satisfies Record<Family, RegExp>;

/** As the books write it. */
function canonicalHash({ terms }: ApiNetwork, hash: string): string {
  if (HASHES[familyOf(terms.network)].test(hash)) return canonicalAddress(terms.network, hash);
  const detail = `This is no transaction hash of ${networkName(terms)}.`;
  throw notAccepted('invalid_transaction_hash', detail);
}

function notAccepted(reason: string, detail: string): Refusal {
  return new Refusal('payment_not_accepted', { field: 'payment.transactionHash', reason, detail });
}
