# How long a synchronous write of topic 0 waits before it sends, while topic 1 is being sent: the
# 90th percentile in us, the largest, and how many such writes there were.
$3 == "send" && $6 == 1 { open = 1 }
$3 == "sent" && $6 == 1 { open = 0 }
$3 == "publish" && $6 == 0 { begun = $1; met = open }
$3 == "send" && $6 == 0 && (met || open) { waits[++count] = $1 - begun }
END {
    for (i = 2; i <= count; i++) {
        value = waits[i]
        for (k = i - 1; k >= 1 && waits[k] > value; k--) waits[k + 1] = waits[k]
        waits[k + 1] = value
    }
    printf "%d %d %d\n", waits[int(count * 0.9) + 1] / 1000, waits[count] / 1000, count
}
