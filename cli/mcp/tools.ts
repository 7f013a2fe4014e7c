import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { formatUsdc, microUsdc, toJsonAmount, type MicroUsdc } from '../../core/money.ts';
import { endPaid } from '../commands/pay.ts';
import { batchOrder, LINES_MAX, readAmount, singleOrder, type Order } from '../paying/order.ts';
import { dayOf, finishEarlier, pay, quote, type Outcome, type PayingDeps } from '../paying/paying.ts';
import { readRecipient } from '../paying/recipient.ts';
import { outcomeReport, priceReport, type Report } from '../paying/report.ts';
import { findPayment } from '../paying/service.ts';
import { Stop, toStop } from '../terminal/stop.ts';

export type ToolParts = {
  deps: PayingDeps & { maxCall: MicroUsdc; maxDay: MicroUsdc };
  /** Prices everything and signs nothing. */
  isDry: boolean;
  /** Gets unexpected errors; a model is told only that there was one. */
  onFailure: (error: unknown) => void;
};

const recipient = z
  .string()
  .min(1)
  .max(600)
  .describe(
    'platform:name, such as x:alice, github:octocat, farcaster:alice, email:alice@example.com or web:example.com',
  );
const amount = z
  .union([z.number(), z.string().max(30)])
  .describe('USDC, 0.01 to 10, at most 6 decimals; 1 is one US dollar');
const note = z.string().max(2_000).optional().describe('what it is for; the recipient reads it');
const dryRun = z.boolean().optional().describe('true: only say what it would cost; nothing is signed or paid');

const sendArguments = z.object({ recipient, amount, note, dry_run: dryRun });
const batchArguments = z.object({
  payments: z.array(z.object({ recipient, amount })).min(1).max(LINES_MAX),
  note,
  dry_run: dryRun,
});
const checkArguments = z.object({
  txn_id: z
    .union([z.int().positive(), z.string().regex(/^[1-9][0-9]{0,15}$/)])
    .describe('from the answer to a payment'),
});

const WAITS =
  'The recipient needs no wallet and no account: money that cannot be paid out at once waits for them (payment_status pending_claim, with a claim_url to send to them) and comes back if it is not collected in time.';
const ONCE =
  'After a timeout, or status "unknown", call again with exactly the same arguments: it is never paid twice, and the answer is that of the first call. After status "paid" another call with the same arguments is another payment. What was collected cannot be called back, so make sure of the recipient first.';

/** A server for one connection. */
export function createToolServer(parts: ToolParts): McpServer {
  const { maxCall, maxDay } = parts.deps;
  const limits = `Limits of this wallet: ${formatUsdc(maxCall)} USDC a call and ${formatUsdc(maxDay)} USDC a day (UTC), fees included.`;
  const mode = parts.isDry ? ' DRY RUN: this server prices everything and pays nothing.' : '';
  const server = new McpServer(
    { name: 'pennypost', title: 'pennypost: USDC to people by name', version: '0.1.0' },
    { instructions: `Sends the owner's USDC to people by the names they go by. ${limits}${mode}` },
  );
  const spending = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  const looking = { readOnlyHint: true, openWorldHint: true };
  server.registerTool(
    'send_usdc',
    {
      title: 'Send USDC to someone',
      description: `Pays one person in USDC from the owner's wallet. ${limits}${mode} ${WAITS} ${ONCE}`,
      inputSchema: sendArguments,
      annotations: spending,
    },
    (args, { mcpReq }) =>
      answer(parts, () => {
        const line = { recipient: readRecipient(args.recipient), amount: readAmount(args.amount) };
        return payOrder(parts, singleOrder(line, args.note ?? null), args.dry_run, mcpReq.signal);
      }),
  );
  server.registerTool(
    'send_usdc_batch',
    {
      title: 'Send USDC to up to 100 people at once',
      description: `Pays 1 to 100 people with one payment: all of them, or nobody when one line is wrong. ${limits}${mode} ${WAITS} ${ONCE}`,
      inputSchema: batchArguments,
      annotations: spending,
    },
    (args, { mcpReq }) =>
      answer(parts, () => {
        const lines = args.payments.map((line) => ({
          recipient: readRecipient(line.recipient),
          amount: readAmount(line.amount),
        }));
        return payOrder(parts, batchOrder(lines, args.note ?? null), args.dry_run, mcpReq.signal);
      }),
  );
  server.registerTool(
    'check_payment',
    {
      title: 'Ask what became of a payment',
      description:
        'Free. payment_status says what became of a payment by its txn_id: paid, pending_claim (waits to be collected), queued (on its way), held, or refunded (came back).',
      inputSchema: checkArguments,
      annotations: looking,
    },
    (args) => answer(parts, () => checkPayment(parts, String(args.txn_id))),
  );
  server.registerTool(
    'payment_limits',
    {
      title: 'What may be spent',
      description: 'Free. The limits of this wallet, what is left of them today, its address and its network.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => answer(parts, async () => ({ report: limitsReport(parts) })),
  );
  return server;
}

type Answered = { report: Report; shown?: () => void };

/** Expected ends are results that a model can act on; it would not see a protocol error. */
async function answer({ onFailure }: ToolParts, run: () => Promise<Answered>): Promise<CallToolResult> {
  try {
    const { report, shown } = await run();
    shown?.();
    return toResult(report.ending === 'paid', report.text, report.fields);
  } catch (error) {
    const stop = toStop(error) ?? hidden(error, onFailure);
    const { ending, word, message, next } = stop;
    const text = next === null ? message : `${message} ${next}`;
    return toResult(false, text, { status: ending, error: word, message, next });
  }
}

function hidden(error: unknown, onFailure: ToolParts['onFailure']): Stop {
  onFailure(error);
  const next = 'Call again with exactly the same arguments: it is never paid twice.';
  return new Stop('unknown', 'internal_error', 'Something went wrong in this wallet.', next);
}

function toResult(ok: boolean, text: string, fields: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ok, ...fields }, ...(ok ? {} : { isError: true }) };
}

async function payOrder(
  { deps, isDry }: ToolParts,
  order: Order,
  dryRunWanted: boolean | undefined,
  signal: AbortSignal,
): Promise<Answered> {
  if (isDry || dryRunWanted === true)
    return { report: priceReport(await quote(deps, order), deps.purse, deps.service) };
  const fate = await finishEarlier(deps, order);
  const outcome = fate === null ? await payAnew(deps, order, signal) : { fate, earlier: true };
  // A caller that has stopped waiting gets no answer: the payment stays open, so that the same call later gets it.
  return {
    report: outcomeReport(outcome),
    shown: () => (signal.aborted ? undefined : endPaid(deps.journal, outcome.fate)),
  };
}

async function payAnew(deps: PayingDeps, order: Order, signal: AbortSignal): Promise<Outcome> {
  const agreed = await quote(deps, order);
  if (signal.aborted) throw new Stop('refused', 'cancelled', 'The call was cancelled.', 'Nothing was signed.');
  return pay(deps, agreed);
}

async function checkPayment({ deps }: ToolParts, txnId: string): Promise<Answered> {
  const found = await findPayment(deps, deps.service, txnId);
  if (found.kind === 'refused') throw new Stop('refused', found.refusal.word, found.refusal.text, null);
  if (found.kind === 'open')
    throw new Stop('unknown', 'fate_unknown', 'The service cannot say yet.', 'Ask again in a moment.');
  const { status, ...data } = found.data;
  return {
    report: {
      ending: 'paid',
      text: found.message,
      fields: { ...data, payment_status: status, message: found.message },
    },
  };
}

function limitsReport({ deps, isDry }: ToolParts): Report {
  const { maxCall, maxDay, days, purse, service } = deps;
  const spent = days.spent(dayOf(deps));
  const left = microUsdc(spent >= maxDay ? 0n : maxDay - spent);
  const text = `At most ${formatUsdc(maxCall)} USDC a call; ${formatUsdc(left)} of ${formatUsdc(maxDay)} USDC are left today (UTC). From ${purse.address} on ${purse.pinned.network}.`;
  return {
    ending: 'paid',
    text: isDry ? `${text} This is a dry run: nothing is paid.` : text,
    fields: {
      max_per_call: toJsonAmount(maxCall),
      max_per_day: toJsonAmount(maxDay),
      spent_today: toJsonAmount(spent),
      left_today: toJsonAmount(left),
      network: purse.pinned.network,
      from: purse.address,
      service,
      dry_run: isDry,
    },
  };
}
