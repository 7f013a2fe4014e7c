# For a payer who can only transfer: ask where to and exactly how much, send it from any wallet, say which transaction it was.
ask() {
  curl -s -X POST "$PENNYPOST_URL/a2a" -H 'content-type: application/json' \
    -H 'X-A2A-Extensions: https://github.com/google-a2a/a2a-x402/v0.1' \
    -d "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"pennypost.pay.x\", \"params\": $1}"
}
field() { node -pe "$1" "$2"; }

order='"receiver": "alice", "amount": 0.25'
task=$(ask "{$order}")
id=$(field 'JSON.parse(process.argv[1]).result.taskId' "$task")
recipient=$(field 'JSON.parse(process.argv[1]).result.payment.recipient' "$task")
amount=$(field 'JSON.parse(process.argv[1]).result.payment.amount' "$task")

# In millionths of a USDC. Your wallet; here a command that prints the hash of what it has sent.
hash=$($TRANSFER "$recipient" "$amount")

# Until it is safe on the chain the status stays PAYMENT_REQUIRED; ask again with the same words.
for try in $(seq 60); do
  answer=$(ask "{$order, \"taskId\": \"$id\", \"payment\": {\"network\": \"eip155:8453\", \"transactionHash\": \"$hash\"}}")
  case $answer in *PAYMENT_CONFIRMED*) break ;; esac
  sleep 1
done
echo "$answer"
