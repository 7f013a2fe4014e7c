import { Role, TaskState, type Message, type Part, type Task } from '@a2a-js/sdk';
import type { MessageTaskRow } from '../../db/tasks/messages.ts';
import { REFUSAL_TEXTS, type ProofRefusal } from '../../core/payments/refusals.ts';
import type { RefusedPayment } from '../../db/tables/message-tasks.ts';
import type { Reading } from './sentences/reading.ts';
import { ERROR, RECEIPTS, REQUIRED, STATUS } from './message.ts';

/** The progress of a task. It is not stored: the payment's row gives it each time. */
export type Standing =
  /** What its words leave open. Nothing is priced, so nothing can be paid. */
  | { kind: 'question'; text: string }
  | { kind: 'payment-required'; text: string; required: Record<string, unknown>; reading: Reading | null }
  | { kind: 'payment-failed'; reason: ProofRefusal; required: Record<string, unknown> }
  | { kind: 'settling' }
  | { kind: 'completed'; answer: Record<string, unknown>; settlement: Record<string, unknown> }
  | { kind: 'canceled' };

export type Shown = Pick<MessageTaskRow, 'id' | 'contextId' | 'refusals'> & { sinceMs: number };

/** A task in the library's form, which writes both versions of the protocol. It keeps no history. */
export function toTask(task: Shown, standing: Standing): Task {
  const { state, text, metadata } = told(standing, task.refusals);
  const message: Message = {
    // The same until the task's state changes, so that a repetition is not taken for news.
    messageId: `${task.id}.${standing.kind}`,
    contextId: task.contextId,
    taskId: task.id,
    role: Role.ROLE_AGENT,
    parts: [toPart({ $case: 'text', value: text })],
    metadata,
    extensions: [],
    referenceTaskIds: [],
  };
  const status = { state, message, timestamp: new Date(task.sinceMs).toISOString() };
  const artifacts = standing.kind === 'completed' ? [toReceipt(standing.answer)] : [];
  return { id: task.id, contextId: task.contextId, status, artifacts, history: [], metadata: undefined };
}

type Told = { state: TaskState; text: string; metadata: Record<string, unknown> };

function told(standing: Standing, refusals: readonly RefusedPayment[]): Told {
  const receipts = refusals.length === 0 ? {} : { [RECEIPTS]: refusals };
  switch (standing.kind) {
    case 'question':
      return { state: TaskState.TASK_STATE_INPUT_REQUIRED, text: standing.text, metadata: {} };
    case 'payment-required': {
      const reading = standing.reading === null ? {} : { reading: standing.reading };
      return {
        state: TaskState.TASK_STATE_INPUT_REQUIRED,
        text: standing.text,
        metadata: { [STATUS]: 'payment-required', [REQUIRED]: standing.required, ...reading, ...receipts },
      };
    }
    case 'payment-failed':
      // The task goes on: the same requirements may be signed again.
      return {
        state: TaskState.TASK_STATE_INPUT_REQUIRED,
        text: REFUSAL_TEXTS[standing.reason],
        metadata: {
          [STATUS]: 'payment-failed',
          [ERROR]: toErrorCode(standing.reason),
          [REQUIRED]: standing.required,
          [RECEIPTS]: refusals,
        },
      };
    case 'settling':
      return {
        state: TaskState.TASK_STATE_WORKING,
        text: 'The payment is on its way. Ask for the task again; do not sign another payment.',
        metadata: { [STATUS]: 'payment-verified', ...receipts },
      };
    case 'completed':
      return {
        state: TaskState.TASK_STATE_COMPLETED,
        text: typeof standing.answer['msg'] === 'string' ? standing.answer['msg'] : 'Paid.',
        metadata: { [STATUS]: 'payment-completed', [RECEIPTS]: [...refusals, standing.settlement] },
      };
    case 'canceled':
      return {
        state: TaskState.TASK_STATE_CANCELED,
        text: 'The task was called off before anything was paid.',
        metadata: { [STATUS]: 'payment-rejected', ...receipts },
      };
  }
}

/** What a call of the skill answers: the same object as over HTTP. */
function toReceipt(answer: Record<string, unknown>): Task['artifacts'][number] {
  return {
    artifactId: 'receipt',
    name: 'receipt',
    description: 'What was paid, with a link to the receipt of each line.',
    parts: [toPart({ $case: 'data', value: answer })],
    metadata: undefined,
    extensions: [],
  };
}

function toPart(content: Part['content']): Part {
  return {
    content,
    metadata: undefined,
    filename: '',
    mediaType: content?.$case === 'data' ? 'application/json' : 'text/plain',
  };
}

/** The extension's own codes (a2a-x402 v0.2, section 9.1) where it has one; our word in capitals elsewhere. */
function toErrorCode(reason: ProofRefusal): string {
  return ERROR_CODES[reason] ?? reason.toUpperCase();
}

const ERROR_CODES: Partial<Record<ProofRefusal, string>> = {
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  invalid_exact_evm_payload_signature: 'INVALID_SIGNATURE',
  invalid_exact_svm_payload_signature_invalid: 'INVALID_SIGNATURE',
  invalid_exact_evm_payload_authorization_valid_before: 'EXPIRED_PAYMENT',
  payment_expired: 'EXPIRED_PAYMENT',
  invalid_network: 'NETWORK_MISMATCH',
  invalid_exact_evm_payload_authorization_value: 'INVALID_AMOUNT',
  invalid_exact_svm_payload_amount_mismatch: 'INVALID_AMOUNT',
  invalid_transaction_state: 'SETTLEMENT_FAILED',
};
