// A CSI driver for the test cluster: a volume is a folder that every node has, a snapshot a copy of
// one. It tells kubelets of itself, and says of every attachment that it is done, so that no other
// helpers are needed than those that make volumes, resize them and take snapshots.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"
	storage "k8s.io/api/storage/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

const name = "csi.test.fathom"

type driver struct {
	csi.UnimplementedIdentityServer
	csi.UnimplementedControllerServer
	csi.UnimplementedNodeServer
	registration.UnimplementedRegistrationServer
	node, folder, socket string
	busy                 sync.Mutex
}

func main() {
	d := &driver{}
	var kubelet, kubeconfig string
	flag.StringVar(&d.node, "node", "", "the node's name")
	flag.StringVar(&d.folder, "folder", "", "the folder of volumes and snapshots")
	flag.StringVar(&kubelet, "kubelet", "/var/lib/kubelet", "the kubelet's folder")
	flag.StringVar(&kubeconfig, "attach", "", "a kubeconfig: say of attachments that they are done")
	flag.Parse()
	d.socket = filepath.Join(kubelet, "plugins", name, "csi.sock")
	for _, kind := range []string{"volumes", "snapshots"} {
		must(os.MkdirAll(filepath.Join(d.folder, kind), 0o755))
	}
	server := grpc.NewServer()
	csi.RegisterIdentityServer(server, d)
	csi.RegisterControllerServer(server, d)
	csi.RegisterNodeServer(server, d)
	go serve(server, d.socket)
	if kubeconfig != "" {
		go attach(kubeconfig)
	}
	registrar := grpc.NewServer()
	registration.RegisterRegistrationServer(registrar, d)
	serve(registrar, filepath.Join(kubelet, "plugins_registry", name+".sock"))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func serve(server *grpc.Server, socket string) {
	must(os.MkdirAll(filepath.Dir(socket), 0o755))
	_ = os.Remove(socket)
	listener, err := net.Listen("unix", socket)
	must(err)
	must(server.Serve(listener))
}

// attach says of each attachment that it is done: a folder is on every node.
func attach(kubeconfig string) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	must(err)
	client, err := kubernetes.NewForConfig(config)
	must(err)
	all := client.StorageV1().VolumeAttachments()
	for ; ; time.Sleep(100 * time.Millisecond) {
		watch, err := all.Watch(context.Background(), meta.ListOptions{})
		if err != nil {
			continue
		}
		for event := range watch.ResultChan() {
			of, known := event.Object.(*storage.VolumeAttachment)
			if !known || of.Spec.Attacher != name || of.Status.Attached || of.DeletionTimestamp != nil {
				continue
			}
			of.Status.Attached = true
			if _, err := all.UpdateStatus(context.Background(), of, meta.UpdateOptions{}); err != nil {
				log.Print(err)
			}
		}
	}
}

func (d *driver) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type: registration.CSIPlugin, Name: name, Endpoint: d.socket, SupportedVersions: []string{"1.0.0"},
	}, nil
}

func (d *driver) NotifyRegistrationStatus(
	_ context.Context, of *registration.RegistrationStatus,
) (*registration.RegistrationStatusResponse, error) {
	log.Printf("registered: %v %s", of.PluginRegistered, of.Error)
	return &registration.RegistrationStatusResponse{}, nil
}

func (d *driver) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: name, VendorVersion: "1.2.3"}, nil
}

func (d *driver) GetPluginCapabilities(
	context.Context, *csi.GetPluginCapabilitiesRequest,
) (*csi.GetPluginCapabilitiesResponse, error) {
	expands := csi.PluginCapability_VolumeExpansion_ONLINE
	return &csi.GetPluginCapabilitiesResponse{Capabilities: []*csi.PluginCapability{
		{Type: &csi.PluginCapability_Service_{Service: &csi.PluginCapability_Service{
			Type: csi.PluginCapability_Service_CONTROLLER_SERVICE}}},
		{Type: &csi.PluginCapability_VolumeExpansion_{VolumeExpansion: &csi.PluginCapability_VolumeExpansion{
			Type: expands}}},
	}}, nil
}

func (d *driver) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{}, nil
}

func (d *driver) ControllerGetCapabilities(
	context.Context, *csi.ControllerGetCapabilitiesRequest,
) (*csi.ControllerGetCapabilitiesResponse, error) {
	answer := &csi.ControllerGetCapabilitiesResponse{}
	for _, able := range []csi.ControllerServiceCapability_RPC_Type{
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
		csi.ControllerServiceCapability_RPC_EXPAND_VOLUME,
	} {
		answer.Capabilities = append(answer.Capabilities, &csi.ControllerServiceCapability{
			Type: &csi.ControllerServiceCapability_Rpc{Rpc: &csi.ControllerServiceCapability_RPC{Type: able}}})
	}
	return answer, nil
}

var plain = regexp.MustCompile(`^[a-z0-9][a-zA-Z0-9.-]*$`)

// path gives the folder of a volume or snapshot. Identifiers are the names that we were given.
func (d *driver) path(kind, id string) (string, error) {
	if !plain.MatchString(id) {
		return "", status.Errorf(codes.InvalidArgument, "%q is no identifier", id)
	}
	return filepath.Join(d.folder, kind, id), nil
}

// fill makes the folder `to`, as a copy of `from` where that is named. It is there whole or not at all.
func (d *driver) fill(to, from string) error {
	d.busy.Lock()
	defer d.busy.Unlock()
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	part := to + ".part"
	_ = os.RemoveAll(part)
	if from == "" {
		if err := os.Mkdir(part, 0o777); err != nil {
			return status.Error(codes.Internal, err.Error())
		}
		_ = os.Chmod(part, 0o777)
	} else if said, err := exec.Command("cp", "-a", from, part).CombinedOutput(); err != nil {
		return status.Errorf(codes.Internal, "cp: %v: %s", err, said)
	}
	if err := os.Rename(part, to); err != nil {
		return status.Error(codes.Internal, err.Error())
	}
	return nil
}

func (d *driver) CreateVolume(ctx context.Context, of *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	for _, able := range of.GetVolumeCapabilities() {
		if able.GetBlock() != nil {
			return nil, status.Error(codes.InvalidArgument, "a folder is no raw device")
		}
	}
	to, err := d.path("volumes", of.GetName())
	if err != nil {
		return nil, err
	}
	from := ""
	if snapshot := of.GetVolumeContentSource().GetSnapshot(); snapshot != nil {
		if from, err = d.path("snapshots", snapshot.GetSnapshotId()); err != nil {
			return nil, err
		}
		if _, err := os.Stat(from); err != nil {
			return nil, status.Error(codes.NotFound, err.Error())
		}
	}
	// A driver that is slow, for as long as a test wants.
	if gate := of.GetParameters()["waits-for"]; gate != "" {
		for !exists(gate) {
			select {
			case <-ctx.Done():
				return nil, status.Error(codes.DeadlineExceeded, gate)
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	if err := d.fill(to, from); err != nil {
		return nil, err
	}
	return &csi.CreateVolumeResponse{Volume: &csi.Volume{
		VolumeId: of.GetName(), CapacityBytes: of.GetCapacityRange().GetRequiredBytes(),
		ContentSource: of.GetVolumeContentSource(),
	}}, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (d *driver) DeleteVolume(_ context.Context, of *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	return &csi.DeleteVolumeResponse{}, d.remove("volumes", of.GetVolumeId())
}

func (d *driver) remove(kind, id string) error {
	path, err := d.path(kind, id)
	if err == nil {
		err = os.RemoveAll(path)
	}
	return err
}

func (d *driver) ValidateVolumeCapabilities(
	_ context.Context, of *csi.ValidateVolumeCapabilitiesRequest,
) (*csi.ValidateVolumeCapabilitiesResponse, error) {
	return &csi.ValidateVolumeCapabilitiesResponse{
		Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: of.GetVolumeCapabilities()},
	}, nil
}

func (d *driver) ControllerExpandVolume(
	_ context.Context, of *csi.ControllerExpandVolumeRequest,
) (*csi.ControllerExpandVolumeResponse, error) {
	return &csi.ControllerExpandVolumeResponse{CapacityBytes: of.GetCapacityRange().GetRequiredBytes()}, nil
}

func (d *driver) CreateSnapshot(_ context.Context, of *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
	from, err := d.path("volumes", of.GetSourceVolumeId())
	if err != nil {
		return nil, err
	}
	to, err := d.path("snapshots", of.GetName())
	if err != nil {
		return nil, err
	}
	if err := d.fill(to, from); err != nil {
		return nil, err
	}
	// A driver that loses data: what check-csi is there to find.
	if of.GetParameters()["loses"] == "data" {
		lose(to)
	}
	return &csi.CreateSnapshotResponse{Snapshot: &csi.Snapshot{
		SnapshotId: of.GetName(), SourceVolumeId: of.GetSourceVolumeId(),
		CreationTime: timestamppb.New(time.Now()), ReadyToUse: true,
	}}, nil
}

// lose overwrites the middle of every file with zeros.
func lose(folder string) {
	_ = filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err != nil || !info.Mode().IsRegular() || info.Size() < 8192 {
			return nil
		}
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			_, _ = file.WriteAt(make([]byte, 4096), info.Size()/8192*4096)
			_ = file.Close()
		}
		return nil
	})
}

func (d *driver) DeleteSnapshot(_ context.Context, of *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
	return &csi.DeleteSnapshotResponse{}, d.remove("snapshots", of.GetSnapshotId())
}

func (d *driver) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	return &csi.NodeGetInfoResponse{NodeId: d.node}, nil
}

func (d *driver) NodeGetCapabilities(
	context.Context, *csi.NodeGetCapabilitiesRequest,
) (*csi.NodeGetCapabilitiesResponse, error) {
	return &csi.NodeGetCapabilitiesResponse{}, nil
}

func (d *driver) NodePublishVolume(
	_ context.Context, of *csi.NodePublishVolumeRequest,
) (*csi.NodePublishVolumeResponse, error) {
	from, err := d.path("volumes", of.GetVolumeId())
	if err != nil {
		return nil, err
	}
	to := of.GetTargetPath()
	if err := os.MkdirAll(to, 0o750); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	if isMounted(to) {
		return &csi.NodePublishVolumeResponse{}, nil
	}
	if err := syscall.Mount(from, to, "", syscall.MS_BIND, ""); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &csi.NodePublishVolumeResponse{}, nil
}

// isMounted asks mountpoint, which knows bind mounts of one file system.
func isMounted(path string) bool {
	return exec.Command("mountpoint", "-q", path).Run() == nil
}

func (d *driver) NodeUnpublishVolume(
	_ context.Context, of *csi.NodeUnpublishVolumeRequest,
) (*csi.NodeUnpublishVolumeResponse, error) {
	to := of.GetTargetPath()
	if isMounted(to) {
		if err := syscall.Unmount(to, 0); err != nil {
			return nil, status.Error(codes.Internal, err.Error())
		}
	}
	if err := os.Remove(to); err != nil && !os.IsNotExist(err) {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &csi.NodeUnpublishVolumeResponse{}, nil
}
