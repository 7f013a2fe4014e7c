import { Role } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { openWallet } from './wallets.mjs';

export async function pay(given) {
  const client = await new ClientFactory().createFromUrl(given.url);
  const value = { skill: 'pennypost.pay.x', params: given.order };
  const send = (taskId, metadata) =>
    client.sendMessage({
      tenant: '',
      message: {
        messageId: crypto.randomUUID(),
        contextId: '',
        taskId,
        role: Role.ROLE_USER,
        parts: [{ content: { $case: 'data', value }, filename: '', mediaType: '' }],
        metadata,
        extensions: [],
        referenceTaskIds: [],
      },
    });
  const task = await send('');
  const wallet = await openWallet(given);
  const payment = await wallet.createPaymentPayload(task.status.message.metadata['x402.payment.required']);
  const done = await send(task.id, {
    'x402.payment.status': 'payment-submitted',
    'x402.payment.payload': payment,
  });
  return done.artifacts[0].parts[0].content.value.data.amount;
}
