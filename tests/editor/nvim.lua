-- A session of Neovim's own client, an LSP client that is not ours: editor-neovim runs it where there is one.
local host, program = vim.env.HTP_HOST, vim.env.HTP_PROGRAM
local failed = {}
local function expect(holds, what)
  if not holds then table.insert(failed, what) end
end

vim.cmd("edit " .. vim.fn.fnameescape(program))
vim.bo.filetype = "python"
local id = vim.lsp.start_client({ name = "htp", cmd = { host, "lsp" }, root_dir = vim.fn.fnamemodify(program, ":h") })
vim.lsp.buf_attach_client(0, id)
local function diagnostics() return vim.diagnostic.get(0) end
expect(vim.wait(20000, function() return vim.lsp.buf_is_attached(0, id) and vim.lsp.get_client_by_id(id) ~= nil and vim.lsp.get_client_by_id(id).initialized end, 20), "it is not initialized")

local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
local function find(part)
  for k, line in ipairs(lines()) do
    local at = line:find(part, 1, true)
    if at then return k, at - 1 end
  end
end
local function ask(method, params)
  local found = vim.lsp.buf_request_sync(0, method, params, 20000)
  return found and found[id] and found[id].result
end
local function at(part)
  local line, column = find(part)
  vim.api.nvim_win_set_cursor(0, { line, column })
  return vim.lsp.util.make_position_params(0, "utf-16")
end

-- The types come with the check.
local hover
vim.wait(20000, function()
  hover = ask("textDocument/hover", at("row ="))
  return hover and hover.contents.value:find("Tile%[f32, i, N%]")
end, 50)
expect(hover and hover.contents.value:find("row: Tile%[f32, i, N%]"), "hover: " .. vim.inspect(hover))
expect(#diagnostics() == 0, "diagnostics: " .. vim.inspect(diagnostics()))

-- A mistake behind letters of two bytes and two units, made by the editor's own incremental changes.
local line, column = find("e = exp(row")
vim.api.nvim_buf_set_text(0, line - 1, column, line - 1, column, { "größe = 1  # 🙂", string.rep(" ", column) })
local wrong, column_wrong = find("exp(row")
vim.api.nvim_buf_set_text(0, wrong - 1, column_wrong, wrong - 1, column_wrong + 3, { "ex" })
expect(vim.wait(20000, function() return #diagnostics() > 0 end, 20), "a mistake is not told")
local told = diagnostics()[1]
expect(told and told.lnum == wrong - 1 and told.col == column_wrong and told.code == "tile.unknown-call", vim.inspect(told))
vim.api.nvim_buf_set_text(0, wrong - 1, column_wrong, wrong - 1, column_wrong + 2, { "exp" })
expect(vim.wait(20000, function() return #diagnostics() == 0 end, 20), "it stays: " .. vim.inspect(diagnostics()))

-- Renaming, applied by the editor.
local params = at("row =")
params.newName = "line"
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", params), "utf-16")
expect(find("line = x[i, :]") and find("exp(line - reduce_max(line"), "renamed: " .. table.concat(lines(), "\n"))
expect(#(ask("textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params() }) or {}) == 3, "lenses")
vim.lsp.stop_client(id)
expect(vim.wait(20000, function() return vim.lsp.client_is_stopped(id) end, 20), "it does not end")
print(#failed == 0 and "a session of Neovim" or table.concat(failed, "\n"))
vim.cmd(#failed == 0 and "quitall!" or "cquit 1")
