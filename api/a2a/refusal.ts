/**
 * What the protocol itself refuses, with the codes of JSON-RPC 2.0 and of A2A 1.0 (section 5.4). Failures of a payment are
 * AppErrors here as everywhere.
 */
export const REFUSALS = {
  invalid_request: { code: -32600, detail: 'This is not one JSON-RPC 2.0 request.' },
  extension_required: { code: -32600, detail: 'Name the x402 extension in the header X-A2A-Extensions.' },
  method_not_found: { code: -32601, detail: 'There is no such method, and no skill of that name.' },
  invalid_params: { code: -32602, detail: 'The params do not have the form that this method wants.' },
  unknown_skill: { code: -32602, detail: 'There is no such skill; the agent card lists them.' },
  unknown_task: { code: -32602, detail: 'No such task is known here.' },
  task_arguments_changed: { code: -32602, detail: 'This task was opened with other arguments.' },
  payment_without_task: { code: -32602, detail: 'Present a payment with the taskId of the task it pays for.' },
  payment_not_accepted: { code: -32602, detail: 'This transaction does not pay for this task.' },
  task_not_found: { code: -32001, detail: 'No such task is known here.' },
  task_not_cancelable: { code: -32002, detail: 'The task is paid, or a payment for it is on its way.' },
  push_notifications_not_supported: { code: -32003, detail: 'Push notifications are not offered; ask with GetTask.' },
  unsupported_operation: { code: -32004, detail: 'This operation is not offered here.' },
  extended_card_not_configured: { code: -32007, detail: 'There is one agent card, and everybody may read it.' },
  version_not_supported: { code: -32009, detail: 'The protocol versions here are 1.0 and 0.3.' },
} as const satisfies Record<string, { code: number; detail: string }>;

export type RefusalWord = keyof typeof REFUSALS;

/** An expected failure of the protocol, safe to show. */
export class Refusal extends Error {
  readonly word: RefusalWord;
  readonly detail: string;
  readonly field: string | null;
  /** A stable word, narrower than the refusal's own. */
  readonly reason: string | null;

  constructor(word: RefusalWord, said: { detail?: string; field?: string; reason?: string } = {}) {
    super(`${word}: ${said.detail ?? REFUSALS[word].detail}`);
    this.name = 'Refusal';
    this.word = word;
    this.detail = said.detail ?? REFUSALS[word].detail;
    this.field = said.field ?? null;
    this.reason = said.reason ?? null;
  }
}
