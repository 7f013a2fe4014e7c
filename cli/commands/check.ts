import { takeWords } from '../terminal/command-line.ts';
import { findPayment } from '../paying/service.ts';
import { badUsage, Stop } from '../terminal/stop.ts';
import type { Command } from './command.ts';

/** `pennypost check <txn_id>` */
export const check: Command = async ({ words }, { service }, { fetch }) => {
  const [txnId = ''] = takeWords(words, 1, 1, 'check <txn_id>');
  if (!/^[1-9][0-9]{0,15}$/.test(txnId))
    throw badUsage('A txn_id is a number of at most 16 digits.', 'It is in the answer to a payment.');
  const found = await findPayment({ fetch }, service, txnId);
  switch (found.kind) {
    case 'found': {
      const { status, receipt, network, ...data } = found.data;
      const fields = { ...data, status: 'settled', payment_status: status, receipt, network, message: found.message };
      return {
        report: { ending: 'paid', fields, text: `${found.message}\n  Receipt    ${receipt}\n  Network    ${network}` },
      };
    }
    case 'refused':
      throw new Stop('refused', found.refusal.word, found.refusal.text, null);
    case 'open':
      throw new Stop(
        'unknown',
        'fate_unknown',
        'The service cannot say yet what became of it.',
        'Ask again in a moment.',
      );
  }
};
