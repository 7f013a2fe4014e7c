import { eq } from 'drizzle-orm';
import { NETWORKS, type Network } from '../../core/networks.ts';
import { prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** The limits on every payout, in whichever process it is made. */
export type PayoutSettings = {
  /** How much may leave in one UTC day, for one payer and to one recipient; null: without a limit. */
  dailyMicroUsdc: { payer: bigint | null; recipient: bigint | null };
  /** What one purse may have from us; 0: nothing new; null or absent: any sum. */
  purseMaxMicroUsdc?: bigint | null;
  /** Where our money is on each network that a worker serves now. */
  treasuries: Partial<Record<Network, string>>;
};

const DAILY = { payer: 'daily:payer', recipient: 'daily:recipient' } as const;
const PURSE_MAX = 'purse:max';
const treasuryName = (network: Network) => `treasury:${network}`;

/**
 * Called by the worker before anything is settled. A value that is not given any more is gone: a network that is served no
 * gets no payouts from our own money.
 */
export async function storePayoutSettings(store: Store, settings: PayoutSettings): Promise<void> {
  const { payoutSettings } = store.tables;
  const { payer, recipient } = settings.dailyMicroUsdc;
  const rows = [
    { name: DAILY.payer, value: payer?.toString() },
    { name: DAILY.recipient, value: recipient?.toString() },
    { name: PURSE_MAX, value: settings.purseMaxMicroUsdc?.toString() },
    ...NETWORKS.map((network) => ({ name: treasuryName(network), value: settings.treasuries[network] })),
  ];
  await store.tx(async (db) => {
    for (const { name, value } of rows) {
      if (value === undefined) await db.delete(payoutSettings).where(eq(payoutSettings.name, name));
      else
        await db
          .insert(payoutSettings)
          .values({ name, value })
          .onConflictDoUpdate({ target: payoutSettings.name, set: { value } });
    }
  });
}

const selectSettings = prepare((db, { payoutSettings }) => db.select().from(payoutSettings));

export async function readPayoutSettings(db: Db, _tables: Tables): Promise<PayoutSettings> {
  const rows = await selectSettings(db, {});
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const amount = (name: string) => {
    const value = values.get(name);
    return value === undefined ? null : BigInt(value);
  };
  const treasuries: PayoutSettings['treasuries'] = {};
  for (const network of NETWORKS) {
    const address = values.get(treasuryName(network));
    if (address !== undefined) treasuries[network] = address;
  }
  const dailyMicroUsdc = { payer: amount(DAILY.payer), recipient: amount(DAILY.recipient) };
  return { dailyMicroUsdc, purseMaxMicroUsdc: amount(PURSE_MAX), treasuries };
}
