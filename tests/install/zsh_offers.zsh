# SPDX-License-Identifier: BSD-3-Clause
# zsh -f zsh_offers.zsh FUNCTIONS LINE: prints what zsh offers at the end of LINE, with the completion functions of the
# folder FUNCTIONS. Completion needs a terminal: an interactive zsh in one of zpty's, in which compadd also writes the
# matches to a file.
zmodload zsh/zpty
out=$(mktemp)
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -D -u
compadd() {
    if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        local -a found; builtin compadd -A found \"\$@\"; print -rl -- \$found >>$out
    fi
    builtin compadd \"\$@\"
}
offer() { zle complete-word; print ALL OFFERED >>$out }
zle -N offer; bindkey '^I' offer; print REA''DY"
zpty -r shell line '*READY*'
zpty -w -n shell "$2"$'\t'
for ((i = 0; i < 300; i++)); do
    grep -qx 'ALL OFFERED' $out && break
    sleep 0.1
done
zpty -d shell
grep -qx 'ALL OFFERED' $out || { print "zsh does not answer"; exit 1 }
grep -vx 'ALL OFFERED' $out | sort -u
rm $out
