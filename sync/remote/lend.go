package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/aws-sdk-go-v2/service/sts/types"
	"github.com/aws/smithy-go"
	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/fshttp"
)

// The rules here are: what is lent reads one folder and nothing else, for some hours,
// whatever the keys of the settings may do; the provider's token service (STS) holds it
// to that by the policy that it is asked with.

// ErrLendsNothing says that a remote's provider has no token service that gives
// temporary keys, or none that these settings may use.
var ErrLendsNothing = errors.New("temporary keys are not to be had there")

// lendTime is how long keys are lent, where the provider leaves that to us.
const lendTime = 12 * time.Hour

// Lend gives temporary keys of an S3 remote that read a folder, and until when they
// are good. Errors: ErrLendsNothing, or that the provider could not be asked.
func (r *Remote) Lend(ctx context.Context, folder string) (Bucket, time.Time, error) {
	if r.info.Name != "s3" || strings.ContainsAny(r.path+folder, "*?$") { // a policy would take them for more
		return Bucket{}, time.Time{}, ErrLendsNothing
	}
	ctx = configured(ctx)
	whole := path.Join(r.path, folder)
	bucket, prefix, _ := strings.Cut(strings.Trim(whole, "/"), "/")
	b := Bucket{
		Name: bucket, Prefix: prefix, Provider: r.options["provider"], Region: r.options["region"], Endpoint: r.options["endpoint"],
	}
	given, err := r.askSTS(ctx, b)
	var said smithy.APIError
	switch {
	case errors.As(err, &said) && (statusOf(err) < 500 || statusOf(err) == http.StatusNotImplemented):
		err = fmt.Errorf("%w: the provider answers %s", ErrLendsNothing, said.ErrorCode())
	case err == nil && (given == nil || given.AccessKeyId == nil || given.SecretAccessKey == nil || given.SessionToken == nil || given.Expiration == nil):
		err = fmt.Errorf("%w: the provider gives none", ErrLendsNothing)
	case err != nil && foreign(err.Error()):
		err = fmt.Errorf("%w: what answers is no token service", ErrLendsNothing)
	}
	if errors.Is(err, ErrLendsNothing) {
		return Bucket{}, time.Time{}, err
	}
	if err != nil {
		return Bucket{}, time.Time{}, r.failure(ctx, "ask for temporary keys of", r.String(), err)
	}
	b.AccessKeyID, b.SecretAccessKey, b.SessionToken = *given.AccessKeyId, *given.SecretAccessKey, *given.SessionToken
	return b, *given.Expiration, nil
}

// askSTS asks the token service of a provider: AWS for a federated user, any other, or
// where the settings name a role, for that role.
func (r *Remote) askSTS(ctx context.Context, b Bucket) (*types.Credentials, error) {
	policy, err := readPolicy(b)
	if err != nil {
		return nil, err
	}
	client, err := r.tokenService(ctx, b)
	if err != nil {
		return nil, err
	}
	role, seconds := r.options["role_arn"], aws.Int32(int32(lendTime/time.Second))
	if role == "" && isAWS(b) {
		given, err := client.GetFederationToken(ctx, &sts.GetFederationTokenInput{Name: aws.String("footbridge"), Policy: &policy, DurationSeconds: seconds})
		if err != nil {
			return nil, err
		}
		return given.Credentials, nil
	}
	asked := &sts.AssumeRoleInput{RoleArn: &role, RoleSessionName: aws.String("footbridge"), Policy: &policy, DurationSeconds: seconds}
	if role == "" {
		asked.RoleArn = aws.String("arn:xxx:xxx:xxx:xxxx") // such providers know no roles, but the field has to be there
	} else {
		asked.DurationSeconds = nil // a role has its own, mostly an hour
		if id := r.options["role_external_id"]; id != "" {
			asked.ExternalId = &id
		}
	}
	given, err := client.AssumeRole(ctx, asked)
	if err != nil {
		return nil, err
	}
	return given.Credentials, nil
}

func isAWS(b Bucket) bool { return b.Provider == "AWS" || b.Provider == "" && b.Endpoint == "" }

// tokenService gives a client of the provider's token service, with the keys of the
// settings.
func (r *Remote) tokenService(ctx context.Context, b Bucket) (*sts.Client, error) {
	config := aws.Config{Credentials: credentials.NewStaticCredentialsProvider(r.options["access_key_id"], r.options["secret_access_key"], r.options["session_token"])}
	if r.options["access_key_id"] == "" {
		if r.options["env_auth"] != "true" {
			return nil, fmt.Errorf("%w: the settings have no keys of their own", ErrLendsNothing)
		}
		var options []func(*awsconfig.LoadOptions) error
		if profile := r.options["profile"]; profile != "" {
			options = append(options, awsconfig.WithSharedConfigProfile(profile))
		}
		if file := r.options["shared_credentials_file"]; file != "" {
			options = append(options, awsconfig.WithSharedConfigFiles([]string{file}))
		}
		var err error
		if config, err = awsconfig.LoadDefaultConfig(ctx, options...); err != nil {
			return nil, err
		}
	}
	config.Region = cmp.Or(b.Region, "us-east-1")
	config.HTTPClient = &http.Client{
		Transport:     fshttp.NewTransportCustom(ctx, nil),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       time.Duration(fs.GetConfig(ctx).Timeout),
	}
	config.RetryMaxAttempts = 1
	endpoint := r.options["sts_endpoint"]
	if endpoint == "" && !isAWS(b) {
		endpoint = b.Endpoint
	}
	if endpoint != "" && !strings.Contains(endpoint, "://") {
		endpoint = "https://" + endpoint
	}
	return sts.NewFromConfig(config, func(o *sts.Options) {
		if endpoint != "" {
			o.BaseEndpoint = &endpoint
		}
	}), nil
}

// readPolicy is the policy that allows to read part of a bucket.
func readPolicy(b Bucket) (string, error) {
	partition := "aws"
	switch {
	case strings.HasPrefix(b.Region, "cn-"):
		partition = "aws-cn"
	case strings.HasPrefix(b.Region, "us-gov-"):
		partition = "aws-us-gov"
	}
	resource := "arn:" + partition + ":s3:::" + b.Name
	type statement struct {
		Effect    string
		Action    []string
		Resource  []string
		Condition map[string]map[string][]string `json:",omitempty"`
	}
	list := statement{Effect: "Allow", Action: []string{"s3:ListBucket"}, Resource: []string{resource}}
	read := statement{Effect: "Allow", Action: []string{"s3:GetObject"}, Resource: []string{resource + "/*"}}
	if b.Prefix != "" {
		list.Condition = map[string]map[string][]string{"StringLike": {"s3:prefix": {b.Prefix, b.Prefix + "/*"}}}
		read.Resource = []string{resource + "/" + b.Prefix + "/*"}
	}
	text, err := json.Marshal(struct {
		Version   string
		Statement []statement
	}{"2012-10-17", []statement{list, read}})
	return string(text), err
}
