// A session with the library that the extension speaks by: `npm test`, with htp-host on PATH or in $HTP_HOST.
const assert = require("assert");
const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");
const rpc = require("vscode-languageserver-protocol/node");

const root = path.resolve(__dirname, "../../..");
const program = path.join(root, "examples/softmax/softmax.py");
const uri = "file://" + program;
const text = fs.readFileSync(program, "utf8");

function position(part) {
  const before = text.slice(0, text.indexOf(part));
  return { line: before.split("\n").length - 1, character: before.length - before.lastIndexOf("\n") - 1 };
}

async function main() {
  const server = spawn(process.env.HTP_HOST || "htp-host", ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  const published = [];
  connection.onNotification(rpc.PublishDiagnosticsNotification.type, (params) => published.push(params));
  connection.onRequest(rpc.InlayHintRefreshRequest.type, () => {});
  const version = (wanted) => async () => {
    const until = Date.now() + 30000;
    for (;;) {
      const found = published.filter((one) => one.version === wanted).pop();
      if (found) return found.diagnostics;
      assert(Date.now() < until, `no diagnostics of version ${wanted}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  connection.listen();
  const begun = await connection.sendRequest(rpc.InitializeRequest.type, { processId: process.pid, rootUri: "file://" + root, capabilities: { workspace: { inlayHint: { refreshSupport: true } } } });
  assert.equal(begun.capabilities.textDocumentSync.change, rpc.TextDocumentSyncKind.Incremental);
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "python", version: 1, text } });
  assert.deepEqual(await version(1)(), []);
  const at = { textDocument: { uri }, position: position("row = ") };
  const hover = await connection.sendRequest(rpc.HoverRequest.type, at);
  assert.match(hover.contents.value, /row: Tile\[f32, i, N\]/);
  const range = { start: position("exp(row"), end: { ...position("exp(row"), character: position("exp(row").character + 3 } };
  await connection.sendNotification(rpc.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges: [{ range, text: "ex" }] });
  const [wrong] = await version(2)();
  assert.equal(wrong.code, "tile.unknown-call");
  const actions = await connection.sendRequest(rpc.CodeActionRequest.type, { textDocument: { uri }, range: wrong.range, context: { diagnostics: [wrong] } });
  const [edit] = actions[0].edit.changes[uri];
  await connection.sendNotification(rpc.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 3 }, contentChanges: [{ range: edit.range, text: edit.newText }] });
  assert.deepEqual(await version(3)(), []);
  const lenses = await connection.sendRequest(rpc.CodeLensRequest.type, { textDocument: { uri } });
  assert.deepEqual(lenses.map((one) => one.command.title), ["show stage", "show emitted code", "run with random input"]);
  const { command, arguments: given } = lenses[0].command;
  const shown = await connection.sendRequest(rpc.ExecuteCommandRequest.type, { command, arguments: [{ ...given[0], stage: "02" }] });
  assert.match(shown.text, /row: Tile\[f32, i, N\] = tile.load/);
  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  const code = await new Promise((done) => server.on("exit", done));
  assert.equal(code, 0);
  console.log("a session as the extension speaks it");
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
