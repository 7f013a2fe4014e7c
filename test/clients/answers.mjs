export const jsonPost = (order, headers = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(order),
});

/** What a paid answer over HTTP must say. */
export function paidOf(status, body) {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body).slice(0, 200)}`);
  return body.data.amount;
}
