import { conformance } from './conformance.ts';
import { openSolana } from './solana-world.ts';

conformance({
  network: 'solana',
  open: openSolana,
  payoutTransactionsMax: 3,
  // The slice `solana` has the others of payouts, and solana-rotation.test.ts a payment that is stored and not sent. Of one that
  // is sent the next service knows the same, whether this one ended at settle.after-send or at scan.before-apply.
  deaths: [['settle.before-store', 'scan.before-apply', 'payout.before-store', 'payout.after-send']],
  showsCommonRules: false,
  words: {
    'signed for another amount': 'invalid_exact_svm_payload_amount_mismatch',
    'signed for another payee': 'invalid_exact_svm_payload_recipient_mismatch',
    'signed for another token': 'invalid_exact_svm_payload_mint_mismatch',
    'signed by another key': 'invalid_exact_svm_payload_signature_invalid',
    'of an accepted amount that is not the price': 'invalid_payment_requirements',
    'of an accepted payee that is not ours': 'invalid_payment_requirements',
    'of an accepted token that is not USDC': 'invalid_payment_requirements',
    'for a network that is not offered': 'invalid_network',
    // How old a blockhash is only the chain knows, so this one is told by the simulation.
    'whose time was over before it came': 'payment_expired',
    'of our own treasury': 'payer_not_allowed',
    'that is no payment at all': 'invalid_payload',
  },
});
