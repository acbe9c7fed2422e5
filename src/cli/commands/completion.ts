import { defineCommand } from '../command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const command = defineCommand({
  description: `Prints a script that makes the shell complete commands, flags and their values – functions, fixtures, profiles, operations, templates of the seed, files behind @ – for fn and send-template. It runs fn to find them, on this machine only.

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

/*
 * Each script calls `fn __complete WORDS…`, which prints one candidate per line (text, tab, description), and exits with 1 if the shell should
 * complete files. The typed words are passed without quotes, up to the cursor.
 */
const scripts: Record<(typeof shells)[number], string> = {
  // Readline also breaks a line at = : and @, where a word of fn goes on: the pieces are joined again, and of a candidate only that is
  // given back which stands behind the last of these signs (an @ itself is completed with what follows it). Within quotes it breaks nothing.
  // What is given back stands in the line as it is: a name out of somebody's seed or folder must not end the quote that was opened, nor
  // begin a command of its own. It runs on bash 3.2, the one of macOS.
  bash: `# completion of fn and send-template for bash
_fn_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} open= breaks= before=() words=() word piece found cut one text char i
  for ((i = 0; i < \${#line}; i++)); do
    char=\${line:i:1}
    if [[ $open == \\' ]]; then
      [[ $char == \\' ]] && open=
    elif [[ $char == \\\\ ]]; then
      ((i++))
    elif [[ -n $open ]]; then
      [[ $char == \\" ]] && open=
    elif [[ $char == [\\"\\'] ]]; then
      open=$char
    fi
  done
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=\${COMP_WORDS[i]}
    if ((i > 0)) && [[ $line == [![:space:]]* ]]; then
      word=\${words[\${#words[@]} - 1]}
      unset "words[\${#words[@]} - 1]"
    else
      word=
      line=\${line#"\${line%%[![:space:]]*}"}
    fi
    [[ -n $line && $i == "$COMP_CWORD" ]] && piece=$line
    line=\${line#"$piece"}
    words+=("$word$piece")
  done
  for one in @ : =; do [[ $COMP_WORDBREAKS == *"$one"* ]] && breaks+=$one; done
  cut=\${words[\${#words[@]} - 1]}
  if [[ -n $open ]]; then
    cut=\${cut%"$open"*}
  elif [[ -n $breaks ]]; then
    cut=\${cut%"\${cut##*[$breaks]}"}
    cut=\${cut%@}
  else
    cut=
  fi
  for ((i = 0; i < \${#words[@]}; i++)); do
    word=\${words[i]//\\\\/}
    words[i]=\${word//[\\"\\']/}
  done
  [[ \${words[0]##*/} == send-template ]] && before=(template send)
  COMPREPLY=()
  if ! found=$(fn __complete "\${before[@]}" "\${words[@]:1}" 2>/dev/null); then
    compopt -o default 2>/dev/null
    return
  fi
  while IFS= read -r one; do
    one=\${one%%$'\\t'*}
    one=\${one#"$cut"}
    [[ -z $one || ( $open == \\" && $one == *!* ) ]] && continue
    text=
    for ((i = 0; i < \${#one}; i++)); do
      char=\${one:i:1}
      case $open$char in
        "''") char="'\\\\''" ;;
        '"'[\\"\\$\\\`\\\\]) char=\\\\$char ;;
        [\\ \\'\\"\\$\\&\\;\\|\\<\\>\\(\\)\\*\\?\\!\\#\\[\\]\\{\\}\\~\\^\\\`\\\\]) char=\\\\$char ;;
      esac
      text+=$char
    done
    COMPREPLY+=("$text")
  done <<<"$found"
  [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *[/=] ]] && compopt -o nospace 2>/dev/null
}
complete -F _fn_complete fn send-template
`,
  zsh: `#compdef fn send-template
# completion of fn and send-template for zsh
_fn_complete() {
  local -a before lines whole begun
  local found one
  [[ \${words[1]:t} == send-template ]] && before=(template send)
  (( CURRENT > 2 )) && before+=("\${(@Q)words[2,CURRENT-1]}")
  found=$(fn __complete "\${(@)before}" "\${(Q)PREFIX}" 2>/dev/null) || { _files; return }
  lines=("\${(@f)found}")
  for one in "\${(@)lines:#}"; do
    one=\${\${\${one//\\\\/\\\\\\\\}//:/\\\\:}/$'\\t'/:}
    # Behind a folder, or a flag whose value follows, the word goes on.
    if [[ \${one%%:*} == *[/=] ]]; then begun+=("$one"); else whole+=("$one"); fi
  done
  (( \${#whole} )) && _describe 'fn' whole
  (( \${#begun} )) && _describe 'fn' begun -S ''
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
  if test $status -ne 0
    __fish_complete_path (commandline -ct)
  else if set -q found[1]
    printf '%s\\n' $found
  end
end
complete -c fn -f -a '(__fn_complete)'
complete -c send-template -f -a '(__fn_complete)'
`,
};
