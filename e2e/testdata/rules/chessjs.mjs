// Plays games through chess.js and prints what it thinks of every position.
//
// In:  one game a line, {"fen": "…", "moves": ["e2e4", …]}.
// Out: one position a line, the start included: FEN, flags and legal moves in
//      SAN, divided by tabs; the moves divided by spaces.
import { createInterface } from 'node:readline'
import { Chess } from 'chess.js'

const flags = (chess) => [
  chess.isCheck() && 'check',
  chess.isCheckmate() && 'checkmate',
  chess.isStalemate() && 'stalemate',
  chess.isInsufficientMaterial() && 'material',
  chess.isThreefoldRepetition() && 'threefold',
].filter(Boolean).join(' ')

for await (const line of createInterface({ input: process.stdin })) {
  const { fen, moves } = JSON.parse(line)
  const chess = new Chess(fen)
  const out = []
  const describe = () => out.push([chess.fen(), flags(chess), chess.moves().join(' ')].join('\t') + '\n')
  describe()
  for (const uci of moves) {
    chess.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] })
    describe()
  }
  if (!process.stdout.write(out.join(''))) {
    await new Promise((resume) => process.stdout.once('drain', resume))
  }
}
