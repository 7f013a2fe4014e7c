import type { Rates } from '../../core/grammar/rates.ts';
import type { Language } from '../../core/languages.ts';
import type { PassPoint } from '../../core/failpoints.ts';
import type { Payments } from '../../client/payments.ts';
import type { Tasks } from '../../client/tasks.ts';
import type { Store } from '../../db/store/store.ts';
import type { RunnerHold } from '../../queue/runner.ts';
import type { Cancellations } from '../requests/cancellations.ts';
import type { ChatClaims } from '../requests/chat-claims.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Rewards } from '../requests/rewards.ts';
import type { Signer } from '../signing/signer.ts';
import type { Messenger } from '../shared/messenger.ts';
import type { PayingNetworks } from '../shared/networks.ts';
import type { Texts } from '../../texts/en.ts';

/** What the neutral core works with. Every transport, network call, key and random number comes in through here. */
export type CoreDeps = {
  store: Store;
  payments: Payments;
  claims: ChatClaims;
  /** How a tip that nobody has collected is taken back; absent, nobody is offered that. */
  cancellations?: Cancellations;
  /** How another person's wallet pays an order; absent, no links are offered. */
  links?: Tasks;
  /** How rewards for posts are made and paid; absent, none are offered. */
  rewards?: Rewards;
  /** False: nobody here can see who engaged with a post. No reward is asked for any more; those under way go on. */
  readsPosts?: boolean;
  /** Where people reach our pages, without a slash at its end. */
  publicUrl: string;
  signer: Signer;
  networks: PayingNetworks;
  /** Gives play money to a wallet. Present in local mode only, and what makes all money here play money. */
  faucet?: (walletId: string) => Promise<void>;
  messengers: Readonly<Record<string, Messenger>>;
  texts: Texts;
  /** What all read of a message goes in it (`inPublic`); absent or null: `texts` is for everyone. */
  groupLanguage?: Language | null;
  /** What other money is worth, as the operator says; absent, only dollars are read. */
  otherMoney?: { rates: Rates; source: string | null };
  /** How many days money waits for a recipient who has no wallet. */
  claimDays: number;
  random: (count: number) => Uint8Array;
  clock: Clock;
  /** Aborted when the bot closes; the next start takes up what it interrupts. */
  closing: AbortSignal;
  log: Log;
  /** Records outside the database that this user asked for an erasure; absent: a restored database forgets it. */
  noteErasure?: (userId: string, atMs: number) => Promise<void>;
  /** With several bots, one of them looks for what is due; absent: this one is alone. */
  hold?: RunnerHold;
  /** Where a test kills the process, and traces see who passes; absent, nothing happens there. */
  failpoint?: PassPoint;
};
