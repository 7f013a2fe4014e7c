import { conformance } from './conformance.ts';
import { openEvm } from './evm-world.ts';
import { EVM_WORDS } from './evm-words.ts';

conformance({
  network: 'base',
  open: () => openEvm('base'),
  payoutTransactionsMax: 2,
  words: EVM_WORDS,
  // The torture `kills` has the others, and known-key.test.ts those of a payout that is in no transaction yet.
  deaths: [['settle.before-store', 'scan.after-apply', 'payout.after-send']],
  showsCommonRules: true,
});
