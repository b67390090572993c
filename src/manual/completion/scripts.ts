/** Scripts that make a shell call `hla __complete`, one per shell. The program itself knows the candidates. Pure. */

/**
 * The first line of the answer is the action: `words`, `parts` (words without a space after them), `files` or
 * `folders`.
 * Then each line has a candidate, with its description after a tab.
 */
export const COMPLETION_SCRIPTS = {
  bash: `# Completion of hla for bash. Now: source <(hla completion bash)
# For good: hla completion bash > ~/.local/share/bash-completion/completions/hla
_hla() {
  local kind line
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS= read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done
  } < <(hla __complete bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2> /dev/null)
  case $kind in
    parts) compopt -o nospace 2> /dev/null ;;
    files) compopt -o default 2> /dev/null ;;
    folders) compopt -o dirnames 2> /dev/null ;;
  esac
}
complete -F _hla hla
`,
  zsh: `#compdef hla
# Completion of hla for zsh. Now, after compinit: source <(hla completion zsh)
# For good: hla completion zsh > a folder of your $fpath, as _hla
_hla() {
  local kind line
  local -a lines values shown
  lines=("\${(@f)$(hla __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2> /dev/null)}")
  kind=\${lines[1]}
  for line in "\${(@)lines[2,-1]}"; do
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line%%$'\\t'*}  \${line#*$'\\t'}")
  done
  case $kind in
    files | folders)
      compset -P '--*='
      [[ $kind == files ]] && _files || _files -/
      ;;
    parts) compadd -S '' -l -d shown -a values ;;
    *) compadd -l -d shown -a values ;;
  esac
}
if [[ \${funcstack[1]} == _hla ]]; then _hla "$@"; else compdef _hla hla; fi
`,
  fish: `# Completion of hla for fish. Now: hla completion fish | source
# For good: hla completion fish > ~/.config/fish/completions/hla.fish
function __hla_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (hla __complete fish $before[2..-1] "$current" 2> /dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case '*'
            printf '%s\\n' $lines[2..-1]
    end
end
complete -c hla -f -a '(__hla_complete)'
`,
} as const

export type Shell = keyof typeof COMPLETION_SCRIPTS
