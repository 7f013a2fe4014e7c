import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { formatUsdc } from '../../../core/money.ts';
import type { PayLinkTerms } from '../../../db/tables/bot.ts';
import { countHits } from '../../../scripts/torture/faults.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { readBooks } from '../chat-kills/books.ts';
import { createWebPerson } from '../chat-kills/web-person.ts';
import type { LinkPayer } from './payer.ts';
import type { LinkPlan } from './plan.ts';
import type { Store } from '../../../db/store/store.ts';

const PATIENCE_MS = 600_000;
/** A page asks again by itself, but the service allows no more than thirty tries a minute. */
const TRY_AGAIN_MS = 2_500;
const LOOK_MS = 250;
const DELIVERIES = 3;
const LINK = /\/pay\/[\w-]{32}$/;

type World = { store: Store; url: () => string | null; payer: LinkPayer };

/** One person asks for a link in the chat, another opens it and pays: both try until they hear that it is done. */
export function createVisitor(link: LinkPlan, { store, url, payer }: World) {
  const asker = createWebPerson({
    url,
    shownIn: () => [],
    commandOf: ({ handle }, amount) => `/pay x:${handle} ${amount}`,
  });
  const sent: Record<string, unknown>[] = [];
  const injected: string[] = [];

  async function post(step: string, body?: object): Promise<Response> {
    const origin = url();
    if (origin === null) throw new Error('nobody listens');
    const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(20_000);
    const request = { method: 'POST', headers, signal, redirect: 'manual' as const };
    return fetch(`${origin}${await pathOf()}/${step}`, { ...request, ...(body && { body: JSON.stringify(body) }) });
  }

  /** Of the link that the chat shows. Its address names the life in which it was shown, and its path is good for all. */
  async function pathOf(): Promise<string> {
    const { chatMessages } = store.tables;
    const rows = await store.read.select().from(chatMessages).where(eq(chatMessages.chatId, asker.walletId));
    const urls = rows.flatMap(({ view }) =>
      view.actions.flatMap((action) => (action.kind === 'link' ? [action.url] : [])),
    );
    const found = urls.find((one) => LINK.test(one)) ?? known;
    if (found === null) throw new Error(`the chat shows no link: ${JSON.stringify(rows.map(({ view }) => view))}`);
    known = found;
    return new URL(found).pathname;
  }
  let known: string | null = null;

  const isOver = async () => (await readBooks(store)).entries.get(link.handle)?.isOver === true;

  async function payByWallet(forgeries: number): Promise<void> {
    let wrong = forgeries;
    while (!(await isOver())) {
      // The service may die under any of these; the payer presses again.
      const isTaken = await payOnce(wrong > 0).catch(() => false);
      if (isTaken) wrong -= 1;
      const again = Date.now() + TRY_AGAIN_MS;
      while (Date.now() < again && !(await isOver())) await sleep(LOOK_MS);
    }
  }

  /** Whether the service said that it has taken the signature. A forged one that met a killed service is forged again. */
  async function payOnce(isForged: boolean): Promise<boolean> {
    const who = { network: payer.network, address: payer.address };
    const prepared = await post('prepare', who);
    if (prepared.status !== 200) return false;
    const signed = { ...who, ...(await payer.sign((await prepared.json()) as Record<string, unknown>, isForged)) };
    sent.push(signed);
    const posted = await Promise.allSettled(Array.from({ length: DELIVERIES }, () => post('signed', signed)));
    const isTaken = posted.some((one) => one.status === 'fulfilled' && one.value.ok);
    if (isForged && isTaken) injected.push('forged signature');
    return isTaken;
  }

  /** Waits for the page to show where to, and sends it so many times. */
  async function payByTransfer(times: number): Promise<void> {
    const { address, amountMicroUsdc } = await eventually(async () => {
      const { status, headers } = await post('transfer');
      if (status !== 303) throw new Error(`the page answered ${status}`);
      const terms = await termsOf();
      const wanted = terms?.transfers.find(({ network }) => network === payer.network);
      if (!wanted) throw new Error(`no address is shown: ${headers.get('location')}`);
      return wanted;
    }, PATIENCE_MS);
    for (let time = 0; time < times; time++) await payer.transfer(address, BigInt(amountMicroUsdc));
    if (times > 1) injected.push('transfer sent twice');
  }

  async function payBothWays(): Promise<void> {
    await Promise.all([payByWallet(0), payByTransfer(1)]);
    injected.push('paid both ways');
  }

  async function termsOf(): Promise<PayLinkTerms | null> {
    const { orders, payLinks } = store.tables;
    const [row] = await store.read
      .select({ terms: payLinks.terms })
      .from(payLinks)
      .innerJoin(orders, eq(orders.id, payLinks.orderId))
      .where(eq(orders.recipient, `x:${link.handle}`));
    return row?.terms ?? null;
  }

  return {
    chatId: asker.walletId,
    /** Resolves when the link is paid and the chat says so. */
    async run(): Promise<void> {
      await asker.say(link);
      await eventually(pathOf, PATIENCE_MS);
      const { way } = link;
      if (way === 'transfer' || way === 'twice') await payByTransfer(way === 'twice' ? 2 : 1);
      else if (way === 'both') await payBothWays();
      else await payByWallet(way === 'forged' ? 1 : 0);
    },
    /** All that was ever said and signed comes once more, to another process, after the end. */
    async deliverAgain(): Promise<void> {
      await asker.deliverAgain(link);
      for (const signed of sent) await eventually(() => post('signed', signed), PATIENCE_MS);
      await eventually(() => post('transfer'), PATIENCE_MS);
    },
    /** What went wrong on purpose. */
    hits: () => countHits(injected),
    describe: () => `${link.handle} of ${formatUsdc(link.amount)} by ${link.way} on ${link.network}`,
  };
}

export type Visitor = ReturnType<typeof createVisitor>;
