# How many less urgent samples (topic 1) an urgent one (topic 0) waits for in the flow controller.
$3 == "send" && $6 == 1 { open++; if (pending) blocked++ }
$3 == "sent" && $6 == 1 { open-- }
$3 == "enqueue" && $6 == 0 && !($8 in sent) { pending = 1; blocked = open }
$3 == "send" && $6 == 0 {
    sent[$8]
    if (pending && blocked > most) most = blocked
    if (pending && blocked > 1) over++
    pending = 0
    all++
}
END { printf "%d %d %d\n", most, over, all }
