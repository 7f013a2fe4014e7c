import { createTransferIds } from '../chain/transfer-ids.ts';
import type { Config } from '../core/config/config.ts';
import type { TransferIdOf } from '../core/transfers/source.ts';
import { assertMarks } from '../db/rotations/marks.ts';
import type { Store } from '../db/store/store.ts';
import { idMarksOf, treasuryKeysOf } from './networks/keys.ts';

/**
 * The ids of what leaves this installation. They need the treasury's key of each network that money came in on, also of
 * one that is no longer offered: its payments may still be paid out on another.
 */
export function openTransferIds(config: Config): TransferIdOf {
  return createTransferIds(treasuryKeysOf(config));
}

/** The same beside a service: throws Misconfigured where its database has ids of other keys. */
export async function openKnownTransferIds(config: Config, { read, tables }: Store): Promise<TransferIdOf> {
  await assertMarks(read, tables, idMarksOf(config));
  return openTransferIds(config);
}
