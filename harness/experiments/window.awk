# The most bytes that leave within any window of N periods less 1 ns, in thousandths of what
# (N + 1) budgets allow: `size` bytes a sample, `budget` bytes each `period` ns; N from 1 to 5.
$3 == "send" { times[++count] = $1 }
END {
    for (n = 1; n <= 5; n++) {
        most = first = 0
        for (i = 1; i <= count; i++) {
            while (times[i] - times[first + 1] >= n * period) first++
            if (i - first > most) most = i - first
        }
        share = int(most * size * 1000 / ((n + 1) * budget))
        if (share > worst) { worst = share; at = n }
    }
    printf "%d %d %d\n", worst, at, count
}
