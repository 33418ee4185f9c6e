// The extension: starts `htp-host lsp`, and shows what the lenses' commands answer.
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const scheme = "htp";

interface Shown {
  name?: string;
  text?: string;
  line?: number;
  language?: string;
  exitCode?: number;
  files?: { path: string; text: string }[];
}

// Texts that the server answered with, as documents that cannot be changed.
class Answers implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  async show(path: string, text: string, language?: string, line?: number): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: "/" + path });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    let document = await vscode.workspace.openTextDocument(uri);
    if (language) document = await vscode.languages.setTextDocumentLanguage(document, language);
    const options: vscode.TextDocumentShowOptions = { viewColumn: vscode.ViewColumn.Beside, preview: true };
    if (line !== undefined) options.selection = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(document, options);
  }
}

let client: LanguageClient | undefined;
let output: vscode.OutputChannel | undefined;

async function show(answers: Answers, entry: string, shown: Shown): Promise<void> {
  if (shown.files) {
    const chosen = shown.files.length === 1 ? shown.files[0]?.path : await vscode.window.showQuickPick(shown.files.map((file) => file.path));
    const file = shown.files.find((one) => one.path === chosen);
    if (file) await answers.show(`${entry}/${file.path}`, file.text);
  } else if (shown.exitCode !== undefined) {
    output ??= vscode.window.createOutputChannel("HTP run");
    output.append(`${entry}\n${shown.text ?? ""}\n`);
    output.show(true);
  } else if (shown.text !== undefined) {
    await answers.show(`${entry}/${shown.name ?? "stage"}.py`, shown.text, shown.language, shown.line);
  }
}

// The stages are chosen from, and the stage is shown at what was made of the cursor's line.
async function stageOf(argument: { uri: string; entry: string }, ask: (argument: unknown) => Thenable<unknown>): Promise<Shown | undefined> {
  const last = (await ask(argument)) as (Shown & { stages: string[] }) | undefined;
  if (!last) return undefined;
  const stage = await vscode.window.showQuickPick([...last.stages].reverse(), { placeHolder: "The stage to show" });
  if (!stage) return undefined;
  const editor = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === argument.uri);
  return (await ask({ ...argument, stage, line: editor?.selection.active.line })) as Shown;
}

async function start(answers: Answers): Promise<void> {
  const settings = vscode.workspace.getConfiguration("htp");
  const run = { command: settings.get<string>("path") || "htp-host", args: ["lsp"] };
  const server: ServerOptions = { run, debug: run };
  const options: LanguageClientOptions = {
    documentSelector: [
      { language: "python", scheme: "file" },
      { language: "python", scheme: "untitled" },
      { language: "yaml", scheme: "file" },
    ],
    initializationOptions: { profile: settings.get<string>("profile"), pluginPath: settings.get<string[]>("pluginPath"), set: settings.get<object>("set") },
    synchronize: { configurationSection: "htp", fileEvents: vscode.workspace.createFileSystemWatcher("**/{htp-plugin.yaml,*.py}") },
    middleware: {
      executeCommand: async (command, args, next) => {
        const argument = args[0] as { uri: string; entry: string };
        const ask = (given: unknown): Thenable<unknown> => Promise.resolve(next(command, [given]));
        try {
          const shown = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "HTP" }, async () =>
            command === "htp.showStage" ? await stageOf(argument, ask) : ((await ask(argument)) as Shown | undefined),
          );
          if (shown) await show(answers, argument.entry, shown);
          return shown;
        } catch (error) {
          void vscode.window.showErrorMessage(`HTP: ${error instanceof Error ? error.message : String(error)}`);
          return undefined;
        }
      },
    },
  };
  client = new LanguageClient("htp", "HTP", server, options);
  await client.start();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const answers = new Answers();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(scheme, answers),
    vscode.commands.registerCommand("htp.restart", async () => {
      await client?.stop();
      await start(answers);
    }),
  );
  await start(answers);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
