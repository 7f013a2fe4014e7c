/** What a node checks of a message before it looks at any account; the runtime calls it sanitizing. */
import type { Message } from './message.ts';

const ACCOUNTS_MAX = 256;
const VERSION_1_SIGNERS_MAX = 12;
const VERSION_1_ACCOUNTS_MAX = 64;
const VERSION_1_INSTRUCTIONS_MAX = 64;

/** Throws when an index points nowhere, or when there is no fee payer. */
export function assertSound(message: Message): void {
  const { header, accounts, lookups } = message;
  refuseIf(header.signers === 0 || header.readonlySigners >= header.signers, 'the first account must sign and pay');
  refuseIf(header.signers + header.readonlyOthers > accounts.length, 'the header names more accounts than there are');
  refuseIf(
    lookups.some((lookup) => lookup.writableIndexes.length + lookup.readonlyIndexes.length === 0),
    'a lookup table is named and not used',
  );
  const total = accounts.length + countLookedUp(message);
  refuseIf(total > ACCOUNTS_MAX, `${total} accounts are more than ${ACCOUNTS_MAX}`);
  for (const { programIndex, accountIndexes } of message.instructions) {
    refuseIf(programIndex === 0 || programIndex >= accounts.length, 'an instruction has no program in the message');
    refuseIf(
      accountIndexes.some((index) => index >= total),
      'an instruction names an account that is not there',
    );
  }
  if (message.version === 1) assertWithinVersion1(message);
}

function assertWithinVersion1({ header, accounts, instructions }: Message): void {
  refuseIf(header.signers > VERSION_1_SIGNERS_MAX, 'too many signers');
  refuseIf(accounts.length > VERSION_1_ACCOUNTS_MAX, 'too many accounts');
  refuseIf(instructions.length > VERSION_1_INSTRUCTIONS_MAX, 'too many instructions');
}

function countLookedUp({ lookups }: Message): number {
  return lookups.reduce((sum, lookup) => sum + lookup.writableIndexes.length + lookup.readonlyIndexes.length, 0);
}

function refuseIf(isBad: boolean, reason: string): void {
  if (isBad) throw new Error(reason);
}
