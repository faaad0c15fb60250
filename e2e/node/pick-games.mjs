// Chooses the games of record/games.pgn from large PGN collections:
//
//   node node/pick-games.mjs FILE.pgn... > record/games.pgn
//
// Every game is played through with chess.js, which decides two tags that the tests take
// as given: BoardEnding, the first ending of the arena's rules that the board reaches, and
// EndingPly, the number of plies after which it is reached. Comments, variations, clocks
// and ratings are dropped; the moves are left as their source wrote them.
import { readFileSync } from 'node:fs';
import { Chess } from 'chess.js';

const WANTED = {
  checkmate: 45, stalemate: 12, insufficient_material: 14, threefold_repetition: 30,
  fifty_moves: 6, custom: 30, underpromotion: 14, promotion: 16, enpassant: 16, long_castle: 12, other: 25,
};
const MAX_PLIES = { stalemate: 240, insufficient_material: 260, fifty_moves: 398, custom: 200 };

function* games(text) {
  for (const part of text.replace(/\r/g, '').split(/\n(?=\[Event )/)) {
    const tags = {};
    for (const m of part.matchAll(/^\[(\w+) "(.*)"\]$/gm)) tags[m[1]] = m[2];
    let moves = part.replace(/^\[.*\]$/gm, '').replace(/\{[^}]*\}/g, ' ').replace(/;.*$/gm, ' ');
    for (let before; before !== moves;) { before = moves; moves = moves.replace(/\([^()]*\)/g, ' '); }
    const words = moves.split(/\s+/).map((w) => w.replace(/^\d+\.+/, '').replace(/[!?]+$/, ''))
      .filter((w) => w && !w.startsWith('$'));
    const result = words.pop();
    if (['1-0', '0-1', '1/2-1/2'].includes(result) && tags.Result === result) yield { tags, sans: words, result };
  }
}

// ending names the ending on the board, in the order in which the arena looks.
function ending(board) {
  if (board.isCheckmate()) return 'checkmate';
  if (board.isStalemate()) return 'stalemate';
  if (board.isInsufficientMaterial()) return 'insufficient_material';
  if (board.isThreefoldRepetition()) return 'threefold_repetition';
  if (board.isDrawByFiftyMoves()) return 'fifty_moves';
  return '';
}

function study(game) {
  const board = new Chess(game.tags.FEN);
  const facts = new Set();
  let castled = new Set();
  for (const [ply, san] of game.sans.entries()) {
    const move = board.move(san); // throws on what is illegal
    if (move.isEnPassant()) facts.add('enpassant');
    if (move.promotion) facts.add(move.promotion === 'q' ? 'promotion' : 'underpromotion');
    if (move.isQueensideCastle()) castled.add(move.color);
    if (castled.size === 2) facts.add('long_castle');
    const how = ending(board);
    if (how) {
      game.sans.length = ply + 1;
      return Object.assign(game, { facts, how });
    }
  }
  return Object.assign(game, { facts, how: '' });
}

const buckets = Object.fromEntries(Object.keys(WANTED).map((k) => [k, []]));
const seen = new Set();
for (const file of process.argv.slice(2)) {
  for (const game of games(readFileSync(file, 'utf8'))) {
    if (game.sans.length < 10 || game.sans.length > 399) continue;
    const text = game.sans.join(' ');
    if (seen.has(text)) continue;
    seen.add(text);
    if (game.tags.FEN && /nbrqkrbn|n2k3N|k3n3/.test(game.tags.FEN)) continue; // not chess as we know it
    const hint = game.tags.FEN || /#|=|1\/2/.test(text + game.result);
    if (!hint && seen.size % 5) continue;
    try { study(game); } catch { continue; }
    let kind = game.how || (game.facts.has('underpromotion') ? 'underpromotion' : '');
    if (game.how === 'checkmate' && game.facts.has('underpromotion')) kind = 'underpromotion';
    if (!kind) kind = ['enpassant', 'long_castle', 'promotion'].find((f) => game.facts.has(f)) ?? 'other';
    if (game.tags.FEN) kind = 'custom';
    buckets[kind].push(game);
  }
}

let id = 0;
for (const [kind, list] of Object.entries(buckets)) {
  list.sort((a, b) => a.sans.length - b.sans.length);
  const within = list.filter((g) => g.sans.length <= (MAX_PLIES[kind] ?? 110) && g.sans.length >= 16);
  const step = Math.max(1, within.length / WANTED[kind]);
  const chosen = [];
  for (let i = 0; chosen.length < Math.min(WANTED[kind], within.length); i += step) chosen.push(within[Math.floor(i)]);
  process.stderr.write(`${kind}: ${chosen.length} of ${list.length}\n`);
  for (const { tags, sans, result, how } of chosen) {
    const head = { Event: tags.Event || '?', Site: tags.Site || '?', Date: tags.Date || '????.??.??', Round: `${++id}`, White: tags.White || '?', Black: tags.Black || '?', Result: result };
    if (tags.FEN) Object.assign(head, { SetUp: '1', FEN: tags.FEN });
    Object.assign(head, { BoardEnding: how || '-', EndingPly: how ? `${sans.length}` : '-' });
    const lines = Object.entries(head).map(([k, v]) => `[${k} "${v}"]`);
    console.log(`${lines.join('\n')}\n\n${sans.join(' ')} ${result}\n`);
  }
}
