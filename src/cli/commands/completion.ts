import { defineCommand } from '../command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const command = defineCommand({
  description: `Prints a script that makes the shell complete commands, flags and the names of functions, for fn and send-template. It asks fn itself, on this machine only.

  bash   add to ~/.bashrc:  eval "$(fn completion bash)"
  zsh    add to ~/.zshrc:   eval "$(fn completion zsh)"
  fish   once:              fn completion fish > ~/.config/fish/conf.d/fn.fish`,
  arguments: { shell: { summary: 'Your shell', choices: shells } },
  examples: [
    { line: 'eval "$(fn completion bash)"', does: 'completes in this shell' },
    { line: 'fn completion zsh', does: 'prints the script', runs: true },
  ],
  json: '{shell, script}',
  async run({ io }, { shell }) {
    const script = scripts[shell];
    io.result({ shell, script }, () => script.trimEnd());
  },
});

// Each asks `fn __complete WORDS…`, which answers one candidate a line: text, tab, what it is.
const scripts: Record<(typeof shells)[number], string> = {
  bash: `# completion of fn and send-template for bash
_fn_complete() {
  local IFS=$'\\n' before=()
  [ "\${COMP_WORDS[0]##*/}" = send-template ] && before=(template send)
  COMPREPLY=($(fn __complete "\${before[@]}" "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || compopt -o default
}
complete -F _fn_complete fn send-template
`,
  zsh: `#compdef fn send-template
# completion of fn and send-template for zsh
_fn_complete() {
  local -a before candidates
  [[ \${words[1]:t} == send-template ]] && before=(template send)
  candidates=("\${(@f)$(fn __complete $before "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=(\${(@)candidates:#})
  if (( \${#candidates} )); then
    candidates=("\${(@)candidates//:/\\\\:}")
    candidates=("\${(@)candidates/$'\\t'/:}")
    _describe 'fn' candidates
  else
    _files
  fi
}
# A shell without a framework may not have begun to complete.
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
compdef _fn_complete fn send-template
`,
  fish: `# completion of fn and send-template for fish
function __fn_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l before
  test (basename -- $words[1]) = send-template; and set before template send
  set -l found (fn __complete $before $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c fn -f -a '(__fn_complete)'
complete -c send-template -f -a '(__fn_complete)'
`,
};
