import type { MicroUsdc } from '../../core/money.ts';
import type { Network } from '../../core/networks.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import type { Paragraph } from '../../core/view.ts';
import type { OwnTipPage } from '../../db/tip-pages/tip-pages.ts';
import type { Passkey } from '../../db/wallets/passkeys.ts';
import type { Session } from '../../db/wallets/holders.ts';
import type { Lock } from '../../db/wallets/spending-locks.ts';
import type { StatementLine } from '../../db/tips/statement.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import type { TipPageProblem } from '../tip-pages/change.ts';
import type { PersonWallet, SeenWallet, UnseenWallet } from '../shared/wallets.ts';

/** What lies at one of its addresses; `amount` is null when the network does not say. */
export type WalletPlace = { network: Network; place: string; address: string; amount: MicroUsdc | null };
export type ShownWallet = SeenWallet & {
  places: readonly WalletPlace[];
  /** Everyone who may look into it, this browser included. */
  sessions: readonly Session[];
  /** So that it may take the wallet from the others. */
  isFreshlyProven: boolean;
  /** What keeps it from being sent; null: nothing. */
  lock: Lock | null;
  /** Those that count, and those that are to. */
  passkeys: readonly Passkey[];
  /** What came and went, the newest first. */
  statement: readonly StatementLine[];
  /** What this browser asked to take out and can still be called off. */
  unsigned: MicroUsdc;
  /** The same, no matter who asked. */
  leaving: MicroUsdc;
  /** What nobody has collected yet. */
  waiting: MicroUsdc;
  /** The page that its owner has put under the name; null: never. */
  tipPage: OwnTipPage | null;
};
export type WalletsView = {
  holderId: string;
  nowMs: number;
  wallets: readonly ShownWallet[];
  /** Proven here, and not shown yet. */
  unseen: readonly UnseenWallet[];
  /** Of all that the browser holds; `shown` is the one with those wallets. */
  pages: readonly (readonly PersonWallet[])[];
  shown: number;
  history: readonly WithdrawalRow[];
  problem: Problem | null;
  /** What a link wants the person to send; null: nothing. */
  wish: SendWish | null;
  platforms: readonly Platform[];
  /** Whether browsers can have one for this address. */
  hasPasskeys: boolean;
  /** The browser is one inside of an app. */
  isInApp: boolean;
  /** The service ends. */
  isClosing: boolean;
};

/** What was typed into the form of one wallet to take money out, and why it does not go on. */
export type FormProblem = {
  walletId: string;
  field: 'network' | 'address' | 'amount';
  problem: Paragraph;
  typed: { network: string; address: string; amount: string };
};

/** The same of the form to send it to a name. */
export type SendProblem = {
  walletId: string;
  field: 'name' | 'amount' | 'note';
  problem: Paragraph;
  typed: SendWish;
};

export type SendWish = { platform: string; name: string; amount: string; note: string };

export type Problem =
  | { kind: 'take_out'; problem: FormProblem }
  | { kind: 'send'; problem: SendProblem }
  | { kind: 'tip_page'; problem: TipPageProblem };
