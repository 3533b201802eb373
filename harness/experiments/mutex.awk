# How long a synchronous write of topic 0 waits before it sends, while topic 1 is being sent: the 90th
# percentile in us, the largest, how many such writes there were, and how many datagrams of topic 1
# left at the most while one of them waited.
$3 == "send" && $6 == 1 { open = 1 }
$3 == "part" && $6 == 1 && begun { left++ }
$3 == "sent" && $6 == 1 { open = 0; if (begun) left++ }
$3 == "publish" && $6 == 0 { begun = $1; met = open; left = 0 }
$3 == "send" && $6 == 0 {
    if (met || open) {
        waits[++count] = $1 - begun
        if (left > most) most = left
    }
    begun = 0
}
END {
    for (i = 2; i <= count; i++) {
        value = waits[i]
        for (k = i - 1; k >= 1 && waits[k] > value; k--) waits[k + 1] = waits[k]
        waits[k + 1] = value
    }
    printf "%d %d %d %d\n", waits[int(count * 0.9) + 1] / 1000, waits[count] / 1000, count, most
}
