# What it costs: 402 with the terms. Nothing is charged, nothing is promised.
curl -s -X POST "$PENNYPOST_URL/payments/x/pay" \
  -H 'content-type: application/json' -d '{"receiver": "alice", "amount": 0.25}'
echo

# What became of a payment (free): 200 means settled, and "status" says what became of it.
curl -s "$PENNYPOST_URL/payments/validate?receiver=alice&amount=0.25&platform=x"
