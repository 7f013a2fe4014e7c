import { ClientFactory } from 'a2a-v03/client';
import { openWallet } from './wallets.mjs';

export async function pay(given) {
  const client = await new ClientFactory().createFromUrl(given.url);
  const data = { skill: 'pennypost.pay.x', params: given.order };
  const send = (more, metadata) => {
    const message = { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts: [{ kind: 'data', data }] };
    return client.sendMessage({ message: { ...message, ...more, ...(metadata && { metadata }) } });
  };
  const task = await send({});
  const wallet = await openWallet(given);
  const payment = await wallet.createPaymentPayload(task.status.message.metadata['x402.payment.required']);
  const done = await send(
    { taskId: task.id },
    { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': payment },
  );
  return done.artifacts[0].parts[0].data.data.amount;
}
