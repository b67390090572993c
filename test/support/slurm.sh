#!/usr/bin/env bash
# A Slurm cluster of this one machine, in a folder of its own:  slurm.sh start FOLDER | stop FOLDER
# Prints where its configuration is. For root, who alone may start slurmd. Nobody is asked who they are: it listens on 127.0.0.1 alone.
set -euo pipefail
[ $# = 2 ] || exit 2
command=$1
folder=$(cd "$2" && pwd)
host=$(hostname -s)

# what they save they save before they are gone
stop() {
  for one in slurmd slurmctld; do
    [ -s "$folder/$one.pid" ] || continue
    pid=$(cat "$folder/$one.pid")
    kill "$pid" 2> /dev/null || continue
    for _ in $(seq 100); do
      [ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2> /dev/null || break
      sleep 0.1
    done
  done
}

configure() {
  mkdir -p "$folder/state" "$folder/spool"
  chmod 755 "$folder"
  read -r controller node < <(ports)
  cat > "$folder/slurm.conf" << CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$controller
SlurmdPort=$node
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=300
$(slurmd -C | head -n 1) NodeAddr=127.0.0.1 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

# two that nobody listens at
ports() {
  node -e '
    const servers = [0, 0].map(() => require("node:net").createServer().listen(0, "127.0.0.1"))
    Promise.all(servers.map((server) => new Promise((done) => server.once("listening", done)))).then(() => {
      console.log(servers.map((server) => server.address().port).join(" "))
      for (const server of servers) server.close()
    })'
}

start() {
  configure
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -i -f "$SLURM_CONF"
  # it wants to know of one kind of control groups, which it then does not use
  for kind in v1 v2; do
    echo "CgroupPlugin=cgroup/$kind" > "$folder/cgroup.conf"
    ! slurmd -f "$SLURM_CONF" -N "$host" 2> /dev/null || break
  done
  for _ in $(seq 100); do
    if sinfo -h -o %t 2> /dev/null | grep -q idle; then
      echo "$SLURM_CONF"
      return
    fi
    sleep 0.1
  done
  tail -n 5 "$folder/slurmctld.log" "$folder/slurmd.log" >&2
  stop
  return 1
}

"$command"
