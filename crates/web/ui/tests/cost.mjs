// What it costs the engine to keep a page informed: positions for each second of processor time, of `tandem serve`
// with a page that hears ten updates a second, beside `tandem uci` that prints its usual lines.
// `node tests/cost.mjs [ROUNDS]`, on Linux.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { randomBytes } from 'node:crypto';
import { Server, freePort, program } from './support.mjs';

const EACH = 4000;
const ROUNDS = Number(process.argv[2] ?? 6);
const FEN = 'r1bqkb1r/1p3ppp/p1nppn2/6B1/3NP3/2N5/PPPQ1PPP/2KR1B1R w kq - 0 8';
const pause = time => new Promise(resolve => setTimeout(resolve, time));

/** What a process has used, in seconds. */
function used(pid) {
  const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(words[11]) + Number(words[12])) / 100;
}

/** Positions a second of processor time, over UCI. */
async function alone(mode) {
  const child = spawn(program, ['uci'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', data => { text += data; });
  child.stdin.write(`setoption name Hash value 64\nsetoption name SearchMode value ${mode}\n`
    + `setoption name UCI_AnalyseMode value true\nposition fen ${FEN}\nisready\n`);
  while (!text.includes('readyok')) await pause(20);
  const before = used(child.pid);
  child.stdin.write('go infinite\n');
  await pause(EACH);
  child.stdin.write('stop\n');
  while (!text.includes('bestmove')) await pause(5);
  const after = used(child.pid);
  child.stdin.end('quit\n');
  const nodes = [...text.matchAll(/ nodes (\d+)/g)].at(-1)[1];
  return Number(nodes) / (after - before);
}

/** The same with a page. */
async function informed(mode) {
  const server = await Server.start(await freePort(), { hash: 64 });
  const socket = await connect(server);
  await socket.until(message => message.type === 'hello');
  const before = used(server.child.pid);
  socket.send({ type: 'analyse', id: 1, game: { fen: FEN, moves: [] }, lines: 1, mode: mode.toLowerCase() });
  await pause(EACH);
  socket.send({ type: 'stop', id: 2 });
  const last = await socket.until(message => message.type === 'analysis' && !message.running);
  const after = used(server.child.pid);
  await server.stop();
  return last.nodes / (after - before);
}

/** A websocket in few lines: text both ways, which is all that is needed here. */
function connect(server) {
  return new Promise((resolve, reject) => {
    const headers = {
      Connection: 'Upgrade', Upgrade: 'websocket', Origin: server.base,
      'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    };
    const asked = request(`${server.base}/socket?token=${server.token}`, { headers });
    asked.on('response', answer => reject(new Error(`refused with ${answer.statusCode}`)));
    asked.on('upgrade', (_, stream, head) => {
      let bytes = head;
      const messages = [];
      const read = () => {
        while (bytes.length >= 4) {
          const short = bytes[1] & 127;
          const [start, length] = short < 126 ? [2, short] : short === 126
            ? [4, bytes.readUInt16BE(2)] : [10, Number(bytes.readBigUInt64BE(2))];
          if (bytes.length < start + length) return;
          if ((bytes[0] & 15) === 1) messages.push(JSON.parse(bytes.subarray(start, start + length)));
          bytes = bytes.subarray(start + length);
        }
      };
      stream.on('data', data => { bytes = Buffer.concat([bytes, data]); read(); });
      stream.on('error', () => {});
      read();
      resolve({
        send(message) {
          const text = Buffer.from(JSON.stringify(message));
          const mask = Buffer.alloc(4);
          const length = text.length < 126 ? [0x80 | text.length] : [0xfe, text.length >> 8, text.length & 255];
          stream.write(Buffer.concat([Buffer.from([0x81, ...length]), mask, text]));
        },
        async until(holds) {
          for (;;) {
            const found = messages.splice(0).find(holds);
            if (found) return found;
            await pause(2);
          }
        },
      });
    });
    asked.end();
  });
}

for (const mode of ['AlphaBeta', 'MCTS', 'Hybrid']) {
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const rates = round % 2 === 0
      ? [await informed(mode), await alone(mode)]
      : [await alone(mode), await informed(mode)].reverse();
    ratios.push(rates[0] / rates[1]);
  }
  ratios.sort((a, b) => a - b);
  const median = (ratios[(ROUNDS - 1) >> 1] + ratios[ROUNDS >> 1]) / 2;
  const words = [median, ratios[0], ratios.at(-1)].map(ratio => `${(100 * ratio).toFixed(1)}%`);
  console.log(`${mode}: with a page ${words[0]} of the speed without (median of ${ROUNDS}, ${words[1]} to ${words[2]})`);
}
