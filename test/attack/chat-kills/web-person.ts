import { randomBytes } from 'node:crypto';
import { formatUsdc } from '../../../core/money.ts';
import { browserCookieName, browserIdOf, newBrowserSecret } from '../../../identity/browsers.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { commandOf as toTip, type Person } from './person.ts';

const DELIVERIES = 3;
const TAKEN_WITHIN_MS = 600_000;

type Place = {
  /** Where the service answers; null while it is dead. */
  url: () => string | null;
  /** What the chat's page would show. */
  shownIn: (chatId: string) => readonly string[];
  /** What is typed for a tip; a plain `/tip` when left out. */
  commandOf?: typeof toTip;
};

/** A visitor of the web chat. Its page posts again until it hears 202, and here it posts everything three times. */
export function createWebPerson({ url, shownIn, commandOf = toTip }: Place): Person {
  const secret = newBrowserSecret((count) => new Uint8Array(randomBytes(count)));
  const walletId = browserIdOf(secret) ?? '';
  const cookie = `${browserCookieName(false)}=${secret}`;
  const said = new Map<string, { text: string; event_id: string }>();

  async function postOnce(body: object): Promise<void> {
    const origin = url();
    if (origin === null) throw new Error('nobody listens');
    const headers = { 'content-type': 'application/json', cookie, origin, 'sec-fetch-site': 'same-origin' };
    const signal = AbortSignal.timeout(20_000);
    const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
    const { status } = await fetch(`${origin}/chat/messages`, request);
    if (status !== 202) throw new Error(`the chat answered ${status}`);
  }
  const post = (body: object) => eventually(() => postOnce(body), TAKEN_WITHIN_MS);

  return {
    walletId,
    async say(tip) {
      const body = { text: commandOf(tip, formatUsdc(tip.amount)), event_id: randomBytes(12).toString('hex') };
      said.set(tip.handle, body);
      await Promise.all(Array.from({ length: DELIVERIES }, () => post(body)));
    },
    async deliverAgain({ handle }) {
      const body = said.get(handle);
      if (body) await post(body);
    },
    sees: () => shownIn(walletId),
  };
}
