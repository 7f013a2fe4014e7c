import { formatUsdc } from '../../../core/money.ts';
import type { Answer, Collector } from '../../support/claims/collector.ts';
import { balancesOf } from './marks.ts';
import type { PursePlan } from './plan.ts';

/** What others ask for in vain. */
export type Places = { walletId: string; claimId: string; order: string; token: string; withdrawal: string };

/** A person as far as their deeds go. What is done is kept in `places`, so that a deed can be tried again. */
export type Self = {
  plan: PursePlan;
  outAddress: string;
  /** It collects, sends and takes out; the other one only looks, for a day. */
  first: Collector;
  second: Collector;
  places: Places;
  /** What is done on purpose that nothing may come of. */
  inject: (fault: string) => void;
  /** What must not be. */
  accuse: (what: string) => void;
};

/** Proves the name in this browser and confirms, twice at once. */
export async function prove(
  { plan: { platform, handle }, places, inject }: Self,
  browser: Collector,
  payout: { keep: true } | { open: true },
): Promise<void> {
  const { claim_id: claimId, oauth } = await browser.open(platform, handle, payout);
  await browser.signIn(oauth?.url ?? '', handle);
  const token = await browser.confirmToken(claimId);
  const statuses = await Promise.all([browser.confirm(claimId, token), browser.confirm(claimId, token)]);
  inject('claim confirmed again');
  if (!statuses.includes(200)) throw new Error(`confirmed with ${statuses.join(' and ')}`);
  places.claimId = claimId;
}

export async function expectBalance(browser: Collector, wanted: string): Promise<void> {
  const { text } = await browser.page('/purse');
  const shown = [...text.matchAll(/<p class="balance">.*?\$([\d.]+)/g)].map(([, sum = '']) => sum);
  if (!shown.includes(wanted)) throw new Error(`expected ${wanted}, found ${shown.join(' and ')}`);
}

const payForm = ({ plan: { walletId, friend, note } }: Self, amount: string) => ({
  wallet: walletId,
  platform: 'x',
  name: friend,
  amount,
  note,
});
const outForm = ({ plan: { walletId, network }, outAddress }: Self, amount: string) => ({
  wallet: walletId,
  network,
  address: outAddress,
  amount,
});

/** Nothing leaves from a browser that came later, whatever its forms say. */
export async function spendTooEarly(self: Self): Promise<void> {
  const { second, inject, accuse } = self;
  const answers = [
    await second.form('/purse/pay', payForm(self, '1')),
    await second.form('/purse/review', outForm(self, '0.5')),
  ];
  inject('spent too early');
  if (answers.some(({ status }) => status < 400)) accuse('may spend in the second browser at once');
}

export async function send(self: Self): Promise<void> {
  const { plan, first, places, inject } = self;
  if (places.order === '') {
    const { status, location, text } = await first.form('/purse/pay', payForm(self, formatUsdc(plan.sent)));
    if (status !== 303) throw new Error(`the form answered ${status}: ${alertIn(text)}`);
    places.order = idIn(location);
  }
  await agree(self);
  const { text } = await first.page(`/purse/sends/${places.order}`);
  if (text.includes('class="failed"')) {
    inject('sent anew');
    places.order = '';
    throw new Error(`it was not sent: ${alertIn(text)}`);
  }
  if (!text.includes('class="paid"')) throw new Error('it is not sent yet');
}

/** The same button twice at once. */
export async function agree({ first, places: { order }, inject }: Self): Promise<void> {
  const press = () => first.form('/purse/pay/confirm', { order });
  const answers = await Promise.all([press(), press()]);
  inject('send agreed to again');
  expectAll(answers, 303);
}

export async function takeOut(self: Self): Promise<void> {
  const { plan, first, places } = self;
  if (places.token === '') {
    const { text } = await first.form('/purse/review', outForm(self, formatUsdc(plan.takenOut)));
    const token = /name="token" value="([^"]+)"/.exec(text)?.[1];
    if (token === undefined) throw new Error(`there is nothing to confirm: ${alertIn(text)}`);
    places.token = token;
  }
  await letOut(self);
  const { text } = await first.page(`/purse/withdrawals/${places.withdrawal}`);
  if (!text.includes('class="paid"')) throw new Error('it has not left yet');
}

export async function letOut({ first, places, inject }: Self): Promise<void> {
  const press = () => first.form('/purse/send', { token: places.token });
  const answers = await Promise.all([press(), press()]);
  inject('taken out again');
  expectAll(answers, 303);
  places.withdrawal = idIn(answers[0]?.location ?? '');
}

/** Page, all movements, table and letters, in both browsers; answers the tables. */
export async function readAll({ plan, first, second }: Self): Promise<string[]> {
  const tables: string[] = [];
  for (const browser of [first, second]) {
    await expectBalance(browser, formatUsdc(balancesOf(plan)[2]));
    const table = await browser.form('/purse/statement', { wallet: plan.walletId, zone: 'UTC' });
    expectAll([await browser.page('/purse/movements?of=1'), table], 200);
    tables.push(table.text);
    for (const [, path = ''] of table.text.matchAll(/https?:\/\/[^/,]+(\/receipts\/[\w-]+)/g)) await browser.page(path);
  }
  return tables;
}

/** What is another person's, by everything that a page or form of it needs. */
export async function prowl(self: Self, other: Places): Promise<void> {
  const { first, inject, accuse } = self;
  const { walletId: wallet, claimId, order, token, withdrawal } = other;
  // The play money that each browser has of its own.
  await first.page('/purse/movements?of=2');
  const answers = await Promise.all([
    first.page(`/purse/sends/${order}`),
    first.page(`/purse/withdrawals/${withdrawal}`),
    first.read(`/claims/${claimId}`),
    first.form('/purse/statement', { wallet, zone: 'UTC' }),
    first.form('/purse/pay', { ...payForm(self, '1'), wallet }),
    first.form('/purse/review', { ...outForm(self, '0.5'), wallet }),
    first.form('/purse/pay/confirm', { order }),
    first.form('/purse/pay/undo', { order }),
    first.form('/purse/send', { token }),
    first.form('/purse/cancel', { withdrawal }),
    first.form('/purse/only', { wallet }),
    first.form('/purse/leave', { wallet }),
  ]);
  inject('stranger asked');
  const open = answers.flatMap(({ status }, place) => (status < 400 ? [place] : []));
  if (open.length > 0) accuse(`got in at ${wallet}: ${open.join(', ')}`);
}

/** Signs out in the second browser; a copy of its cookie opens nothing after that. */
export async function signOut({ second, plan, inject, accuse }: Self): Promise<void> {
  const copied = second.cookie();
  expectAll([await second.form('/purse/signed-out', {})], 303);
  second.keepCookie(copied);
  inject('copied cookie');
  const { text } = await second.page('/purse');
  if (text.includes(plan.handle)) accuse('is still signed in after signing out');
}

function expectAll(answers: readonly Answer[], wanted: number): void {
  const found = answers.map(({ status }) => status);
  if (found.some((status) => status !== wanted)) throw new Error(`expected ${wanted}, found ${found.join(' and ')}`);
}

const idIn = (location: string): string => location.slice(location.lastIndexOf('/') + 1);
const alertIn = (page: string): string => /role="alert"[^>]*>(.*?)<\/p>/s.exec(page)?.[1] ?? page.slice(-200);
