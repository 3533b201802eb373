# How long asynchronous writes of topic 0 take, in us: the longest of nine tenths that met no send of
# topic 1, the same of those that did, the longest of these, how many they were.
function sort(a, n,    i, k, v) {
    for (i = 2; i <= n; i++) {
        v = a[i]
        for (k = i - 1; k >= 1 && a[k] > v; k--) a[k + 1] = a[k]
        a[k + 1] = v
    }
}
$3 == "send" && $6 == 1 { open = met = 1 }
$3 == "sent" && $6 == 1 { open = 0 }
$3 == "publish" && $6 == 0 { begun = $1; met = open }
$3 == "enqueue" && $6 == 0 && !met && frees < 2000 { free[++frees] = $1 - begun }
$3 == "enqueue" && $6 == 0 && met { held[++helds] = $1 - begun }
END {
    sort(free, frees)
    sort(held, helds)
    printf "%d %d %d %d\n", free[int(frees * 0.9)] / 1000, held[int(helds * 0.9)] / 1000, held[helds] / 1000, helds
}
