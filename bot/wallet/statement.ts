import type { Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { shortAddress, shownAddress } from '../../chain/shown-address.ts';
import { formatCsv } from '../../core/csv.ts';
import { formatOtherMoney, worthIn } from '../../core/grammar/rates.ts';
import { formatUsdc } from '../../core/money.ts';
import type { Store } from '../../db/store/store.ts';
import { knownCurrencies, ratesSince, type RateAt } from '../../db/tips/day-rates.ts';
import { isIncome, type StatementLine } from '../../db/tips/statement.ts';
import { dollars } from '../../web/components/money.ts';
import { breakable } from '../../web/components/person.ts';
import { printButton } from '../../web/components/print.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { PageSite } from '../shared/page-site.ts';
import { formOver, notFound, type Visit } from './visit.ts';
import { namedPerson } from '../../texts/names/person.ts';
import { titleOf } from '../shared/shown-person.ts';
import type { SeenWallet } from '../shared/wallets.ts';
import { depositsSince } from '../wallets/deposits.ts';
import type { ShownWallet } from './shown.ts';
import { moment, withTime } from '../shared/page-times.ts';
import { readWallets, statementFor } from './wallet-reads.ts';

/** Who has more gets the newest, in the table and on the page. */
const LINES_MAX = 5_000;
const SHOWN_MAX = 200;

const statementForm = z.object({
  wallet: z.string().max(300),
  zone: z.string().max(64).default('UTC'),
  currency: z.string().max(3).default(''),
});

/** Other money that a statement values its sums in, each at the rate of its own day. */
export type Valued = { currency: string; rateAt: RateAt };

/** As a table, also for who only looks. Posted, because the name that money is kept for stands in no address. */
export async function answerStatement({ deps, refuse }: Visit, context: Context, holderId: string): Promise<Response> {
  const form = statementForm.safeParse(await context.req.parseBody()).data;
  const wallet = (await readWallets(deps, holderId)).find(({ walletId }) => walletId === form?.wallet);
  if (form === undefined || wallet === undefined) return refuse(400, formOver);
  const lines = await statementFor(deps, wallet, LINES_MAX);
  const valued = await valuedIn(deps, await knownCurrencies(deps.store), form.currency, lines);
  return context.body(toCsv(lines, zoneOf(form.zone), valued), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="statement.csv"',
    'x-content-type-options': 'nosniff',
  });
}

/** In the wanted currency, else in the first; null where no rate is known at all. */
async function valuedIn(
  { store }: { store: Store },
  currencies: readonly string[],
  wanted: string | undefined,
  lines: readonly StatementLine[],
): Promise<Valued | null> {
  const currency = currencies.find((one) => one === wanted) ?? currencies[0];
  const oldest = lines.at(-1);
  if (currency === undefined || oldest === undefined) return null;
  return { currency, rateAt: await ratesSince(store, currency, oldest.atMs) };
}

/** UTC for one that there is not. */
function zoneOf(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

const COLUMNS = [
  'time',
  'zone',
  'kind',
  'with',
  'in_usdc',
  'out_usdc',
  'fee_usdc',
  'status',
  'number',
  'receipt',
  'transaction',
  'value',
  'currency',
  'rate_usdc',
] as const;

/** Sums are in columns of their own, because a minus before one would read as a formula. */
export function toCsv(lines: readonly StatementLine[], zone: string, valued: Valued | null): string {
  const times = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone });
  const rows = lines.map(({ kind, atMs, amount, fee, other, status, txnId, receipt, transaction }) => {
    const isIn = isIncome({ kind });
    const rate = valued?.rateAt(atMs) ?? null;
    return {
      time: times.format(atMs),
      zone,
      kind,
      with: other === null ? '' : shownAddress(other),
      in_usdc: isIn ? formatUsdc(amount) : '',
      out_usdc: isIn ? '' : formatUsdc(amount),
      fee_usdc: fee === 0n ? '' : formatUsdc(fee),
      status: status ?? '',
      number: txnId === null ? '' : String(txnId),
      receipt: receipt ?? '',
      transaction: transaction ?? '',
      value: rate === null ? '' : formatUsdc(worthIn(amount, rate)),
      currency: rate === null ? '' : (valued?.currency ?? ''),
      rate_usdc: rate === null ? '' : formatUsdc(rate),
    };
  });
  return formatCsv(COLUMNS, rows);
}

/** The last movements, and the way to all of them. `place`: which of the browser's wallets it is. */
export function statementOf(site: PageSite, { statement }: ShownWallet, place: number): Html {
  const text = site.texts.purse;
  return html`<h3>${text.statement}</h3>
      ${listOf(site, statement, null)}
      <p class="links"><a class="standing-link" href="/purse/movements?of=${place}">${text.statementAll}</a></p>`;
}

function listOf(site: PageSite, lines: readonly StatementLine[], valued: Valued | null): Html {
  if (lines.length === 0) return html`<p class="hint">${site.texts.purse.statementEmpty}</p>`;
  return html`<ul class="history">${lines.map((line) => lineOf(site, line, valued))}</ul>`;
}

/** All movements of one wallet. Its place among them names it, because the name that money is kept for stands in no address. */
export async function answerMovements(
  { deps, site, show, refuse }: Visit,
  context: Context,
  holderId: string,
): Promise<Response> {
  const place = Number(context.req.query('of'));
  const wallet = (await readWallets(deps, holderId))[place - 1];
  if (wallet === undefined) return refuse(404, notFound);
  const [lines, currencies] = await Promise.all([
    statementFor(deps, wallet, SHOWN_MAX + 1),
    knownCurrencies(deps.store),
  ]);
  const depositsSinceMs = await depositsSince(deps, wallet.walletId);
  const valued = await valuedIn(deps, currencies, context.req.query('in'), lines);
  return show(movementsPage(site, { wallet, place, lines, depositsSinceMs, currencies, valued }));
}

type Movements = {
  wallet: SeenWallet;
  /** Its place among the browser's wallets. */
  place: number;
  lines: readonly StatementLine[];
  /** Null: from the first day on. */
  depositsSinceMs: number | null;
  currencies: readonly string[];
  valued: Valued | null;
};

function movementsPage(site: PageSite, movements: Movements): Page {
  const { wallet, place, lines, depositsSinceMs, currencies, valued } = movements;
  const { walletId, name } = wallet;
  const text = site.texts.purse;
  return {
    title: text.statement,

    main: html`<article class="paper letter">
      <h1>${text.statement}</h1>
      <p>${breakable(titleOf(site, name))}</p>
      ${valued === null ? '' : valuesOf(site, { place, currencies, valued })}
      ${listOf(site, lines.slice(0, SHOWN_MAX), valued)}
      ${depositsSinceMs === null ? '' : html`<p class="hint">${withTime(site, text.statementPutIn, depositsSinceMs, 'day')}</p>`}
      ${lines.length > SHOWN_MAX ? html`<p class="hint">${text.statementNewest(SHOWN_MAX)}</p>` : ''}
      <form method="post" action="/purse/statement" class="actions">
        <input type="hidden" name="wallet" value="${walletId}" />
        <input type="hidden" name="zone" value="UTC" data-zone />
        ${valued === null ? '' : html`<input type="hidden" name="currency" value="${valued.currency}" />`}
        ${printButton(site.reader.language)}
        <button type="submit" class="button quiet small">${text.statementFile}</button>
        <a class="standing-link" href="/purse">${text.back}</a>
      </form>
    </article>`,
  };
}

/** Says what the values are, and leads to those in other money. */
function valuesOf(
  { texts }: PageSite,
  { place, currencies, valued }: Pick<Movements, 'place' | 'currencies'> & { valued: Valued },
): Html {
  const others = currencies.filter((currency) => currency !== valued.currency);
  return html`<p class="hint">${texts.purse.statementValues(valued.currency)}${others.map(
    (currency) => html` · <a href="/purse/movements?of=${place}&amp;in=${currency}">${currency}</a>`,
  )}</p>`;
}

/** Nothing for a day whose rate is not known. */
function valueOf({ atMs, amount }: StatementLine, valued: Valued | null): string | null {
  const rate = valued?.rateAt(atMs) ?? null;
  if (valued === null || rate === null) return null;
  const { currency } = valued;
  return formatOtherMoney({ currency, amount: worthIn(amount, rate) });
}

function lineOf(site: PageSite, line: StatementLine, valued: Valued | null): Html {
  const text = site.texts.purse;
  const { kind, amount, fee, receipt, atMs, txnId, waitingOrder } = line;
  const sum = `${isIncome(line) ? '+' : '−'}${dollars(amount)}`;
  const about = [
    valueOf(line, valued),
    otherOf(site, line),
    fee === 0n ? null : text.feeOf(dollars(fee)),
    txnId === null ? null : text.reference(String(txnId)),
    waitingOrder === null ? null : html`<a href="/purse/sends/${waitingOrder}">${text.takeBack}</a>`,
  ].filter((part) => part !== null);
  return html`<li>${receipt === null ? html`<strong>${sum}</strong>` : html`<a href="${receipt}">${sum}</a>`}
        <span>${text.kinds[kind]}${about.map((part) => html` · ${part}`)}</span> ${moment(site, atMs, 'day')}</li>`;
}

function otherOf({ texts, reader }: PageSite, { kind, other }: StatementLine): Html | string | null {
  switch (kind) {
    case 'received':
      return other === null ? null : html`<bdi>${other}</bdi>`;
    case 'deposited':
    case 'returned':
      return null;
    case 'sent':
      return other === null ? null : namedPerson(other, reader.language);
    case 'out':
      return other === null ? null : `${texts.purse.to} ${shortAddress(other)}`;
  }
}
