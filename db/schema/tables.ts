import type { Kit } from '../dialects/kit-sqlite.ts';
import { defineBotTables } from '../tables/bot.ts';
import { defineCarrierTables } from '../tables/carriers.ts';
import { defineChainTables } from '../tables/chain.ts';
import { defineChatTables } from '../tables/chats.ts';
import { defineClaimTables } from '../tables/claims.ts';
import { defineCommunityTables } from '../tables/community.ts';
import { defineHealthTables, defineProcessTables } from '../tables/health.ts';
import { defineIdentityTables } from '../tables/identities.ts';
import { defineAuditTables, defineLedgerTables } from '../tables/ledger.ts';
import { defineMessageTaskTables } from '../tables/message-tasks.ts';
import { definePaymentTables } from '../tables/payments.ts';
import { defineTransferTables } from '../tables/transfers.ts';
import { defineRefundTables } from '../tables/refunds.ts';
import { defineRewardTables } from '../tables/rewards.ts';
import { defineMoneyRequestTables } from '../tables/money-requests.ts';
import { defineRewardCardTables } from '../tables/reward-cards.ts';
import { defineTaskTables } from '../tables/tasks.ts';
import { defineTreasuryTables } from '../tables/treasury.ts';

/** The one schema. Called with each dialect's kit, so that SQLite and PostgreSQL cannot drift apart. */
export const defineTables = (kit: Kit) => ({
  ...defineIdentityTables(kit),
  ...definePaymentTables(kit),
  ...defineMessageTaskTables(kit),
  ...defineTransferTables(kit),
  ...defineRefundTables(kit),
  ...defineRewardTables(kit),
  ...defineClaimTables(kit),
  ...defineChainTables(kit),
  ...defineCarrierTables(kit),
  ...defineTaskTables(kit),
  ...defineLedgerTables(kit),
  ...defineAuditTables(kit),
  ...defineBotTables(kit),
  ...defineChatTables(kit),
  ...defineCommunityTables(kit),
  ...defineTreasuryTables(kit),
  ...defineRewardCardTables(kit),
  ...defineMoneyRequestTables(kit),
  ...defineHealthTables(kit),
  ...defineProcessTables(kit),
});

export type Tables = ReturnType<typeof defineTables>;
