import type { Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { formatCsv } from '../../core/csv.ts';
import { formatUsdc } from '../../core/money.ts';
import type { StatementLine } from '../../db/tips/statement.ts';
import { dollars } from '../../web/components/money.ts';
import { breakable } from '../../web/components/person.ts';
import { printButton } from '../../web/components/print.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { PageSite } from '../shared/page-site.ts';
import { formOver, notFound, type Visit } from './visit.ts';
import { shownPerson, titleOf } from '../shared/shown-person.ts';
import type { SeenWallet } from '../shared/wallets.ts';
import type { ShownWallet } from './shown.ts';
import { moment } from '../shared/page-times.ts';
import { readWallets, statementFor } from './wallet-reads.ts';

/** Who has more gets the newest, in the table and on the page. */
const LINES_MAX = 5_000;
const SHOWN_MAX = 200;

const statementForm = z.object({ wallet: z.string().max(300), zone: z.string().max(64).default('UTC') });

/** As a table, also for who only looks. Posted, because the name that money is kept for stands in no address. */
export async function answerStatement({ deps, refuse }: Visit, context: Context, holderId: string): Promise<Response> {
  const form = statementForm.safeParse(await context.req.parseBody()).data;
  const wallet = (await readWallets(deps, holderId)).find(({ walletId }) => walletId === form?.wallet);
  if (form === undefined || wallet === undefined) return refuse(400, formOver);
  const lines = await statementFor(deps, wallet, LINES_MAX);
  return context.body(toCsv(lines, zoneOf(form.zone)), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="statement.csv"',
    'x-content-type-options': 'nosniff',
  });
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
] as const;

/** Sums are in columns of their own, because a minus before one would read as a formula. */
export function toCsv(lines: readonly StatementLine[], zone: string): string {
  const times = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone });
  const rows = lines.map(({ kind, atMs, amount, fee, other, status, txnId, receipt, transaction }) => {
    const isIn = kind === 'received' || kind === 'returned';
    return {
      time: times.format(atMs),
      zone,
      kind,
      with: other ?? '',
      in_usdc: isIn ? formatUsdc(amount) : '',
      out_usdc: isIn ? '' : formatUsdc(amount),
      fee_usdc: fee === 0n ? '' : formatUsdc(fee),
      status: status ?? '',
      number: txnId === null ? '' : String(txnId),
      receipt: receipt ?? '',
      transaction: transaction ?? '',
    };
  });
  return formatCsv(COLUMNS, rows);
}

/** The last movements, and the way to all of them. `place`: which of the browser's wallets it is. */
export function statementOf(site: PageSite, { statement }: ShownWallet, place: number): Html {
  const text = site.texts.purse;
  return html`<h3>${text.statement}</h3>
      ${listOf(site, statement)}
      <p class="links"><a class="standing-link" href="/purse/movements?of=${place}">${text.statementAll}</a></p>`;
}

function listOf(site: PageSite, lines: readonly StatementLine[]): Html {
  if (lines.length === 0) return html`<p class="hint">${site.texts.purse.statementEmpty}</p>`;
  return html`<ul class="history">${lines.map((line) => lineOf(site, line))}</ul>`;
}

/** All movements of one wallet. Its place among them names it, because the name that money is kept for stands in no address. */
export async function answerMovements(
  { deps, site, show, refuse }: Visit,
  context: Context,
  holderId: string,
): Promise<Response> {
  const wallet = (await readWallets(deps, holderId))[Number(context.req.query('of')) - 1];
  if (wallet === undefined) return refuse(404, notFound);
  return show(movementsPage(site, wallet, await statementFor(deps, wallet, SHOWN_MAX + 1)));
}

function movementsPage(site: PageSite, { walletId, name }: SeenWallet, lines: readonly StatementLine[]): Page {
  const text = site.texts.purse;
  return {
    title: text.statement,
    scripts: ['page.js'],
    main: html`<article class="paper letter">
      <h1>${text.statement}</h1>
      <p>${breakable(titleOf(site, name))}</p>
      ${listOf(site, lines.slice(0, SHOWN_MAX))}
      ${lines.length > SHOWN_MAX ? html`<p class="hint">${text.statementNewest(SHOWN_MAX)}</p>` : ''}
      <form method="post" action="/purse/statement" class="actions">
        <input type="hidden" name="wallet" value="${walletId}" />
        <input type="hidden" name="zone" value="UTC" data-zone />
        ${printButton(site.reader.language)}
        <button type="submit" class="button quiet small">${text.statementFile}</button>
        <a class="standing-link" href="/purse">${text.back}</a>
      </form>
    </article>`,
  };
}

function lineOf(site: PageSite, line: StatementLine): Html {
  const text = site.texts.purse;
  const { kind, amount, fee, receipt, atMs, txnId, waitingOrder } = line;
  const sum = `${kind === 'received' || kind === 'returned' ? '+' : '−'}${dollars(amount)}`;
  const about = [
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
    case 'returned':
      return null;
    case 'sent':
      return other === null ? null : shownPerson(other, reader.language);
    case 'out':
      return other === null ? null : `${texts.purse.to} ${other.slice(0, 6)}…${other.slice(-4)}`;
  }
}
