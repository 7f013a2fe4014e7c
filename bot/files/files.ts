import type { Context } from 'hono';
import { formatCsv } from '../../core/csv.ts';
import { formatUsdc, microUsdc } from '../../core/money.ts';
import type { ChatFile } from '../../db/chats/files.ts';
import { sentTips, type SentTip } from '../../db/tips/history.ts';
import { findChatUser } from '../../db/chats/users.ts';
import { withdrawalsOfWallet } from '../../db/withdrawals/find.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { openFile } from '../conversation/files.ts';
import { walletsOf } from '../shared/wallets.ts';
import { treasuryStatement } from './treasury-statement.ts';

/** For a person who has sent more, the newest. */
const TIPS_MAX = 5_000;

type Deps = Pick<CoreDeps, 'store' | 'clock' | 'networks'>;

/** What the link in a chat delivers, as a file to save; null where the link is over. */
export async function answerFile(deps: Deps, context: Context): Promise<Response | null> {
  const file = await openFile(deps, context.req.param('secret') ?? '');
  if (file === null) return null;
  const content = await contentOf(deps, file);
  if (content === null) return null;
  const { name, type, text } = content;
  return context.body(text, 200, {
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${name}"`,
    'x-content-type-options': 'nosniff',
  });
}

async function contentOf(deps: Deps, { kind, userId, walletId }: ChatFile) {
  switch (kind) {
    case 'history_csv': {
      const tips = await sentTips(deps.store, userId, TIPS_MAX);
      return { name: 'tips.csv', type: 'text/csv', text: toCsv(tips) };
    }
    case 'export_json': {
      const text = JSON.stringify(await exportOf(deps, userId), null, 2);
      return { name: 'pennypost.json', type: 'application/json', text };
    }
    case 'treasury_csv': {
      if (walletId === null) throw new Error('a statement is of no treasury');
      const networks = deps.networks.map(({ network }) => network);
      const text = await treasuryStatement(deps.store, walletId, networks);
      return { name: 'treasury.csv', type: 'text/csv', text };
    }
    // Pages, and at other addresses.
    case 'deposit_page':
    case 'purse_link':
    case 'browser_link':
      return null;
  }
}

/** All that the bot knows of a person, and the names that their money is kept for. */
async function exportOf({ store, clock }: Deps, userId: string) {
  const [user, wallets, tips] = await Promise.all([
    findChatUser(store, userId),
    walletsOf(store, userId, clock.now()),
    sentTips(store, userId, TIPS_MAX),
  ]);
  const withdrawals = (await Promise.all(wallets.map(({ walletId }) => withdrawalsOfWallet(store, walletId)))).flat();
  return {
    id: userId,
    language: user?.language ?? null,
    since: user && toTime(user.createdAtMs),
    wallets: wallets.map(({ walletId, name }) => ({ id: walletId, name })),
    tips: tips.map(toRow),
    withdrawals: withdrawals.map(({ network, toAddress, amountMicroUsdc, status, createdAtMs }) => ({
      time: toTime(createdAtMs),
      network,
      to: toAddress,
      amount_usdc: formatUsdc(microUsdc(amountMicroUsdc)),
      status,
    })),
  };
}

const COLUMNS = ['time', 'recipient', 'amount_usdc', 'status', 'txn_id', 'receipt', 'note'] as const;

function toRow(tip: SentTip): Record<(typeof COLUMNS)[number], string> {
  return {
    time: toTime(tip.sentAtMs),
    recipient: tip.recipient,
    amount_usdc: formatUsdc(microUsdc(tip.amountMicroUsdc)),
    status: tip.status,
    txn_id: String(tip.txnId),
    receipt: tip.receipt,
    note: tip.note ?? '',
  };
}

export function toCsv(tips: readonly SentTip[]): string {
  return formatCsv(COLUMNS, tips.map(toRow));
}

function toTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
