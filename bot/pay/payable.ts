import type { MicroUsdc } from '../../core/money.ts';
import type { PageSite } from '../shared/page-site.ts';
import type { Payer } from './dependencies.ts';
import type { Asked } from './payment.ts';
import type { PayView } from './view.ts';

/** Why it failed: a reason of the API's, or one of ours. */
export type Refused = { kind: 'refused'; reason: string };
export type Priced = { kind: 'priced'; asked: Asked };

/** What anyone's wallet may pay for on a page of its own: an order of a chat, or a reward of a community. */
export type Payable = {
  /** The path of its page, which its forms lie below. */
  path: string;
  language: string | null;
  /** What people get, without the fee. */
  amount: MicroUsdc;
  view: (site: Pick<PageSite, 'texts'>) => Promise<PayView>;
  /** Why it takes no payment now; null: it does. */
  refusal: () => Promise<string | null>;
  /** What the API asks of this wallet, where that matches what was pinned. */
  price: (payer: Payer) => Promise<Priced | Refused>;
  /** Writes down what a wallet has signed. False where another payment was there first. */
  present: (header: string, payer: Payer) => Promise<boolean>;
  /** Sends on what was written down. Not awaited: the row is what remembers. */
  run: () => void;
  /** A visitor is on its page, so the next state is worth asking for. */
  recordView: () => void;
  /** Opens what a plain transfer needs; left out where no transfer can pay for it. */
  openTransfer?: () => Promise<{ kind: 'ready' } | Refused>;
};
