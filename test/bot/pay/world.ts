/** The bot and the page of its links, with a stand-in for the API's tasks that answers what a test says. */
import type { Context, Hono } from 'hono';
import { shownAddress } from '../../../chain/shown-address.ts';
import { createBot } from '../../../bot/commands/bot.ts';
import type { CoreDeps } from '../../../bot/conversation/dependencies.ts';
import { createPayLinks } from '../../../bot/pay-links/pay-links.ts';
import { createPayPages } from '../../../bot/pay/app.ts';
import type { SolanaPreparation } from '../../../bot/pay/dependencies.ts';
import type { PaidPayment } from '../../../client/payments.ts';
import type { OpenedTask, Tasks } from '../../../client/tasks.ts';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import { findPayLink } from '../../../db/pay-links/pay-links.ts';
import { refusedBy } from '../../client/refused-by.ts';
import { REQUEST_HASH, startFakeApi } from '../fake-api.ts';
import { createHarness, OPERATOR, PINNED, PINNED_SOLANA, pressEvent, textEvent, usdc } from '../harness.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

const PAY_URL = 'https://pay.test/pay/';

type Answer = Awaited<ReturnType<Tasks['send']>>;

export const PAID_LINE = { txnId: 4711, receipt: 'http://api.test/receipts/rrrrrrrrrrrrrrrrrrrrrr' };
export const PAID: PaidPayment = {
  kind: 'paid',
  message: '',
  lines: [{ ...PAID_LINE, status: 'paid', amount: 1, claimUrl: null, expiresAt: null }],
};
export const TASK_ADDRESS = `0x${'7a'.repeat(20)}`;
/** As the page has it. */
export const SHOWN_TASK_ADDRESS = shownAddress(TASK_ADDRESS);

export function fakeTasks() {
  const state = {
    opened: [] as { route: string; refundAddresses: readonly string[] }[],
    presented: [] as string[],
    asked: 0,
    /** What a signed payment comes to. */
    answer: { kind: 'pending', waitMs: null } as Answer,
    /** A plain transfer has paid it. */
    paid: null as PaidPayment | null,
    isGone: false,
    change: (_task: OpenedTask): void => {},
    refusal: null as string | null,
    isUnreachable: (_refundAddresses: readonly string[]): boolean => false,
  };
  const tasks: Tasks = {
    async open({ route, body }, refundAddresses) {
      state.opened.push({ route, refundAddresses });
      if (state.isUnreachable(refundAddresses)) return { kind: 'unreachable' };
      if (state.refusal !== null) return refusedBy(state.refusal);
      const task = toTask(`task_${String(state.opened.length)}`, sumOf(body));
      state.change(task);
      return { kind: 'opened', task };
    },
    async ask() {
      state.asked += 1;
      return state.paid ?? { kind: state.isGone ? 'gone' : 'open' };
    },
    async send(_request, { header }) {
      state.presented.push(header);
      return state.answer;
    },
  };
  return { state, tasks };
}

const toMicro = (amount: unknown): bigint => BigInt(Math.round(Number(amount) * 1e6));

/** Of an order for one person, or for several. */
function sumOf({ amount, receivers }: Record<string, unknown>): bigint {
  if (!Array.isArray(receivers)) return toMicro(amount);
  const lines = receivers as { amount: string }[];
  return lines.reduce((sum, line) => sum + toMicro(line.amount), 0n);
}

function toTask(taskId: string, price: bigint): OpenedTask {
  const { name, version } = PINNED;
  const common = { scheme: 'exact', amount: price.toString(), maxTimeoutSeconds: 60 };
  const where = ({ caip2: network, asset, payTo }: typeof PINNED | typeof PINNED_SOLANA) => ({ network, asset, payTo });
  const { feePayer } = PINNED_SOLANA;
  return {
    taskId,
    required: {
      x402Version: 2,
      error: 'payment_required',
      accepts: [
        { ...common, ...where(PINNED), extra: { name, version, requestHash: REQUEST_HASH } },
        { ...common, ...where(PINNED_SOLANA), extra: { feePayer, requestHash: REQUEST_HASH } },
      ],
    },
    transfers: [
      {
        network: PINNED.caip2,
        amount: (price + 123n).toString(),
        price: price.toString(),
        token: PINNED.asset,
        recipient: TASK_ADDRESS,
      },
    ],
  };
}

/** Says what it was made of, behind room for two signatures. */
export const fakeSolana: SolanaPreparation = {
  latestBlockhash: async () => ({ blockhash: 'B'.repeat(44) }),
  prepare: (from, transfer) => {
    const text = JSON.stringify({ from, ...transfer, amountMicroUsdc: String(transfer.amountMicroUsdc) });
    return Buffer.concat([Buffer.alloc(129), Buffer.from(text)]).toString('base64');
  },
  readSigned(prepared, signed) {
    const [wanted, found] = [prepared, signed].map((text) => Buffer.from(text, 'base64'));
    if (!wanted || !found?.subarray(129).equals(wanted.subarray(129))) return { kind: 'changed' };
    return { kind: 'fine', wire: found.fill(0, 1, 65).toString('base64') };
  },
};

/** A test says where a visitor comes from; most come from one place. */
export const CALLER = 'x-test-caller';
export const callerOf = (context: Context): string => context.req.header(CALLER) ?? 'here';

export type PayWorld = Awaited<ReturnType<typeof createPayWorld>>;

/** Whose wallet has 0.40 USDC, unless told otherwise. */
export async function createPayWorld({ balance = usdc(0.4), solanaBalance = usdc(0), faucet = false } = {}) {
  const api = await startFakeApi();
  const harness = await createHarness({ apiUrl: api.url, balance, solanaBalance, faucet });
  const { state, tasks } = fakeTasks();
  const deps: CoreDeps = { ...harness.deps, links: tasks };
  const bot = createBot(deps);
  const pages: Hono = createPayPages({
    ...deps,
    limits: createRateLimits(deps.clock.now),
    payLinks: bot.links,
    rewardWork: bot.rewards,
    solana: fakeSolana,
    operator: OPERATOR,
    callerOf,
  });
  const orderOf = async (eventId = 'event-1') => {
    const order = await findOrderByEvent(harness.store, 'test', eventId);
    if (!order) throw new Error(`there is no order of ${eventId}`);
    return order;
  };
  /** Also of a link that the chat shows no more. */
  const keys = new Map<string, string>();
  const keyOf = (eventId = 'event-1'): string => {
    const urls = harness.chat.last(eventId)?.actions.flatMap((action) => (action.kind === 'link' ? [action.url] : []));
    const shown = urls?.find((url) => url.startsWith(PAY_URL))?.slice(PAY_URL.length) ?? keys.get(eventId);
    if (shown === undefined) throw new Error('the chat shows no link');
    keys.set(eventId, shown);
    return shown;
  };
  /** Presses the first button of the card. */
  const agree = async (eventId: string): Promise<void> => {
    const button = harness.chat.last(eventId)?.actions.find((action) => action.kind === 'button');
    if (button?.kind !== 'button') throw new Error('the card has no button');
    await bot.press(pressEvent(button.id, `${eventId}-press`));
    await bot.idle();
  };
  const ownPage = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  return {
    ...harness,
    api,
    bot,
    state,
    wallet: harness.state,
    pages,
    orderOf,
    linkOf: async (eventId = 'event-1') => (await findPayLink(harness.store, (await orderOf(eventId)).id))?.link,
    keyOf,
    async say(text: string, eventId = 'event-1') {
      await bot.handle(textEvent(text, eventId));
      await bot.idle();
      if ((await findOrderByEvent(harness.store, 'test', eventId))?.status === 'proposed') await agree(eventId);
      return harness.chat.textOf(eventId) ?? '';
    },
    /** Other processes have links of their own running. */
    otherLinks: () => createPayLinks(deps, async () => undefined),
    show: async (key = keyOf(), headers: Record<string, string> = {}) => pages.request(`/${key}`, { headers }),
    call: (step: string, body: unknown, key = keyOf(), caller = 'here') =>
      pages.request(`/${key}/${step}`, {
        method: 'POST',
        headers: { ...ownPage, [CALLER]: caller },
        body: JSON.stringify(body),
      }),
    form: (step: string, key = keyOf()) =>
      pages.request(`/${key}/${step}`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } }),
    async close() {
      await api.close();
      await harness.store.close();
    },
  };
}
