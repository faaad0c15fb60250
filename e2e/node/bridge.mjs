// An official TypeScript client, driven over standard input and output:
//
//   node node/bridge.mjs v1|v2 URL
//
// It makes one client object and one handshake. Then each line of input is a request,
// {"id", "op", ...}, and each line of output its answer, {"id", "ok"} or {"id", "error"};
// requests run side by side. Operations: call {name, args, timeout_ms}, tools, prompt
// {name, args}, resource {uri}, templates, facts.
import { createInterface } from 'node:readline';

const [generation, url] = process.argv.slice(2);

const { Client, StreamableHTTPClientTransport } = generation === 'v1'
  ? {
    ...await import('@modelcontextprotocol/sdk/client/index.js'),
    ...await import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  }
  : await import('@modelcontextprotocol/client');

const facts = { handshakes: 0, beats: 0, errors: [] };

// Every request passes here, so a second handshake cannot hide.
function countingFetch(input, init) {
  if (typeof init?.body === 'string' && init.body.includes('"method":"initialize"')) facts.handshakes++;
  return fetch(input, init);
}

const client = new Client({ name: `arena-e2e-${generation}`, version: '1.0.0' });
client.onerror = (error) => facts.errors.push(String(error));
await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: countingFetch }));

const operations = {
  async call({ name, args, timeout_ms }) {
    const options = { timeout: timeout_ms, onprogress: () => { facts.beats++; } };
    const request = { name, arguments: args };
    const result = generation === 'v1'
      ? await client.callTool(request, undefined, options)
      : await client.callTool(request, options);
    if (result.isError) throw new Error(`isError: ${JSON.stringify(result)}`);
    const [content] = result.content;
    if (JSON.stringify(JSON.parse(content.text)) !== JSON.stringify(result.structuredContent)) {
      throw new Error(`text and structuredContent differ: ${JSON.stringify(result)}`);
    }
    return result.structuredContent;
  },
  tools: async () => (await client.listTools()).tools,
  prompt: ({ name, args }) => client.getPrompt({ name, arguments: args }),
  resource: ({ uri }) => client.readResource({ uri }),
  templates: async () => (await client.listResourceTemplates()).resourceTemplates,
  facts: () => ({ ...facts, instructions: client.getInstructions(), server: client.getServerVersion() }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  Promise.resolve(operations[request.op](request)).then(
    (ok) => console.log(JSON.stringify({ id: request.id, ok })),
    (error) => console.log(JSON.stringify({ id: request.id, error: String(error?.stack ?? error) })),
  );
}
process.exit(0);
